package dev.sluice.controllers.queueing.rules;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.queueing.Int32;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.Workload.PriorityClassRef;
import dev.sluice.runtime.AdmissionHook;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The validation of Workloads: their creation, updates, and status. */
final class WorkloadRules implements AdmissionHook {
  private static final String PRIORITY_CLASS = "spec.priorityClassRef";

  private final Configuration configuration;
  private final PodSetRules podSets;

  WorkloadRules(Configuration configuration) {
    this.configuration = configuration;
    this.podSets = new PodSetRules(configuration);
  }

  @Override
  public ResourceKind kind() {
    return Kinds.WORKLOAD;
  }

  @Override
  public ApiObject onCreate(ApiObject workload) {
    return podSets.withDefaults(workload);
  }

  @Override
  public void checkCreate(ApiObject workload) {
    problems(workload).deny(kind(), workload.name());
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after) {
    ValidationErrors problems = problems(after);
    if (configuration.has(Gate.ADMISSION_GATED_BY)) {
      GateRules.checkUpdate(before, after, problems);
    }
    if (new Workload(before).reserved()) {
      checkReserved(before, after, problems);
    }
    if (new Workload(before).reserved()) {
      String flavors = KueueNames.ALLOWED_FLAVORS;
      problems.immutable(
          MetadataRules.annotation(flavors), before.annotation(flavors), after.annotation(flavors));
    }
    if (new Workload(before).admitted()) {
      String field = "maximumExecutionTimeSeconds";
      problems.immutable("spec." + field, before.spec().at(field), after.spec().at(field));
    }
    problems.denyNew(problems(before), kind(), after.name());
  }

  @Override
  public List<String> warnings(ApiObject workload) {
    var warnings = new ArrayList<>(PodSetRules.warnings(workload));
    boolean gated = !workload.spec().items("preemptionGates").isEmpty();
    if (gated && !configuration.has(Gate.CONCURRENT_ADMISSION)) {
      warnings.add(
          "spec.preemptionGates: has no effect: the feature gate ConcurrentAdmission is off");
    }
    return warnings;
  }

  @Override
  public void checkStatus(ApiObject before, ApiObject after) {
    var problems = new ValidationErrors();
    WorkloadStatusRules.check(after, problems);
    WorkloadStatusRules.checkChange(before, after, problems);
    var old = new ValidationErrors();
    WorkloadStatusRules.check(before, old);
    problems.denyNew(old, kind(), after.name());
  }

  private ValidationErrors problems(ApiObject workload) {
    var problems = new ValidationErrors();
    podSets.check(workload, problems);
    if (configuration.has(Gate.ADMISSION_GATED_BY)) {
      GateRules.check(workload, problems);
    }
    if (configuration.has(Gate.PRIORITY_BOOST)) {
      checkBoost(workload, problems);
    }
    return problems;
  }

  private static void checkBoost(ApiObject workload, ValidationErrors problems) {
    String boost = workload.annotation(KueueNames.PRIORITY_BOOST);
    if (!boost.isEmpty() && Int32.parse(boost).isEmpty()) {
      problems.invalid(
          MetadataRules.annotation(KueueNames.PRIORITY_BOOST),
          boost,
          "must be a whole number of 32 bits");
    }
  }

  private void checkReserved(ApiObject before, ApiObject after, ValidationErrors problems) {
    podSets.checkReserved(before, after, problems);
    problems.immutable(
        "spec.queueName", new Workload(before).queueName(), new Workload(after).queueName());
    Optional<PriorityClassRef> old = new Workload(before).priorityClass();
    Optional<PriorityClassRef> now = new Workload(after).priorityClass();
    if (old.isEmpty() || now.isEmpty()) {
      problems.immutable(
          PRIORITY_CLASS,
          before.spec().at("priorityClassRef"),
          after.spec().at("priorityClassRef"));
      return;
    }
    problems.immutable(PRIORITY_CLASS + ".group", old.get().group(), now.get().group());
    problems.immutable(PRIORITY_CLASS + ".kind", old.get().kind(), now.get().kind());
    if (old.get().kind().equals("PriorityClass")) {
      problems.immutable(PRIORITY_CLASS + ".name", old.get().name(), now.get().name());
    }
  }
}
