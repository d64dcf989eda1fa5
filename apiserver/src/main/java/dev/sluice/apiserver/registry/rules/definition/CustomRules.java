package dev.sluice.apiserver.registry.rules.definition;

import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.model.ApiObject;
import java.util.List;

/**
 * The rules of custom kinds, whose validation is in their schema; an update of the status changes
 * nothing else.
 */
public final class CustomRules implements KindRules {

  @Override
  public ApiObject onStatus(ApiObject before, ApiObject after) {
    return after.tree().has("status")
        ? before.withStatus(after.status())
        : before.without(List.of("status"));
  }
}
