package dev.sluice.apiserver.http.selector;

import dev.sluice.model.ApiObject;
import dev.sluice.model.LabelSelector;
import java.util.function.UnaryOperator;

/**
 * The selectors of a list or a watch.
 *
 * @param version converts an object to the version whose fields are selected
 */
public record Selection(
    LabelSelector labels, FieldSelector fields, UnaryOperator<ApiObject> version) {

  public boolean isEmpty() {
    return labels.isEmpty() && fields.isEmpty();
  }

  public boolean matches(ApiObject object) {
    return (labels.isEmpty() || labels.matches(object.metadata().tree("labels")))
        && (fields.isEmpty() || fields.matches(version.apply(object)));
  }
}
