package dev.sluice.simulator;

import dev.sluice.model.ApiObject;

/** An object in a scenario whose kind is not served. */
public final class UnknownKindException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnknownKindException(ApiObject object) {
    super(
        "%s %s: no such kind in this version of Sluice; apply its CustomResourceDefinition first"
            .formatted(object.apiVersion(), object.kind()));
  }
}
