package dev.sluice.apiserver.registry.rules.core;

import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;

/** The rules of Leases. */
public final class LeaseRules implements KindRules {

  @Override
  public void check(ApiObject lease, ValidationErrors problems) {
    Tree spec = lease.spec();
    long duration = spec.whole("leaseDurationSeconds").orElse(1);
    if (duration <= 0) {
      problems.invalid("spec.leaseDurationSeconds", duration, "must be greater than 0");
    }
    problems.notNegative("spec.leaseTransitions", spec.whole("leaseTransitions").orElse(0));
  }
}
