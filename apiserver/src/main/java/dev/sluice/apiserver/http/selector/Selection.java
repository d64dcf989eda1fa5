package dev.sluice.apiserver.http.selector;

import dev.sluice.model.ApiObject;

/** Everything that decides whether an object belongs to a list or a watch but its namespace. */
public record Selection(LabelSelector labels, FieldSelector fields) {

  public boolean isEmpty() {
    return labels.isEmpty() && fields.isEmpty();
  }

  public boolean matches(ApiObject object) {
    return fields.matches(object) && (labels.isEmpty() || labels.matches(object.labels()));
  }
}
