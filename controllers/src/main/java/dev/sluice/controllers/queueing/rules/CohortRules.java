package dev.sluice.controllers.queueing.rules;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.ValidationErrors;
import dev.sluice.runtime.AdmissionHook;

/** The validation of Cohorts. */
final class CohortRules implements AdmissionHook {
  private static final QuotaRules QUOTA = new QuotaRules("parentName", false);

  @Override
  public ResourceKind kind() {
    return Kinds.COHORT;
  }

  @Override
  public void checkCreate(ApiObject cohort) {
    problems(cohort).deny(kind(), cohort.name());
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after) {
    problems(after).denyNew(problems(before), kind(), after.name());
  }

  private static ValidationErrors problems(ApiObject cohort) {
    var problems = new ValidationErrors();
    QUOTA.check(cohort, problems);
    return problems;
  }
}
