package dev.sluice.apiserver.http.selector;

import dev.sluice.model.ApiObject;
import java.util.function.UnaryOperator;

/**
 * The selectors of a list or a watch.
 *
 * @param version converts an object to the version whose fields are selected
 */
public record Selection(LabelQuery labels, FieldSelector fields, UnaryOperator<ApiObject> version) {

  public boolean isEmpty() {
    return labels.isEmpty() && fields.isEmpty();
  }

  public boolean matches(ApiObject object) {
    return (labels.isEmpty() || labels.matches(object.labels()))
        && (fields.isEmpty() || fields.matches(version.apply(object)));
  }
}
