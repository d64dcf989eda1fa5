package dev.sluice.apiserver.registry.rules.core;

import dev.sluice.apiserver.registry.rules.Edits;
import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.apiserver.registry.rules.QuantityValidation;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;

/** The rules of Nodes: quantities in their status get their canonical form. */
public final class NodeRules implements KindRules {
  private static final List<String> LISTS = List.of("capacity", "allocatable");

  @Override
  public ApiObject withDefaults(ApiObject node) {
    Tree status = node.status();
    for (String list : LISTS) {
      status = Edits.inside(status, list, QuantityValidation::canonical);
    }
    return status.isEmpty() ? node : node.withStatus(status);
  }

  @Override
  public void check(ApiObject node, ValidationErrors problems) {
    for (String list : LISTS) {
      QuantityValidation.check("status." + list, node.status().tree(list), problems);
    }
  }

  @Override
  public void checkStatus(ApiObject before, ApiObject after, ValidationErrors problems) {
    check(after, problems);
  }
}
