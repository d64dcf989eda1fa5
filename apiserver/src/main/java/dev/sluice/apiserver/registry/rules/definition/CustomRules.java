package dev.sluice.apiserver.registry.rules.definition;

import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.model.ApiObject;
import java.util.List;

/** Custom kinds: their schema says nearly everything; a status write touches nothing but it. */
public final class CustomRules implements KindRules {

  @Override
  public ApiObject onStatus(ApiObject before, ApiObject after) {
    return after.tree().has("status")
        ? before.withStatus(after.status())
        : before.without(List.of("status"));
  }
}
