package dev.sluice.simulator;

import dev.sluice.controllers.configuration.file.Suggestion;
import dev.sluice.model.ApiObject;
import java.util.Collection;

/** An object in a scenario whose kind is not served. */
public final class UnknownKindException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnknownKindException(ApiObject object, Collection<String> kinds) {
    super(
        "%s %s: no such kind in this version of Sluice%s; apply its CustomResourceDefinition first"
            .formatted(object.apiVersion(), object.kind(), Suggestion.of(object.kind(), kinds)));
  }
}
