package dev.sluice.controllers.queueing.rules;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.SelectorValidation;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.AdmissionHook;
import java.util.List;
import java.util.TreeSet;

/**
 * The validation of ClusterQueues. New ones get the finalizer that keeps them while they are in
 * use.
 */
final class ClusterQueueRules implements AdmissionHook {
  private static final int MAX_FLAVORS = 256;
  private static final int MAX_RESOURCES = 256;
  private static final int MAX_PAIRS = 512;
  private static final int MAX_VARIANTS = 16;
  private static final String POLICY = "concurrentAdmissionPolicy";
  private static final String CHECKS = "spec.admissionChecksStrategy.admissionChecks";
  private static final QuotaRules QUOTA = new QuotaRules("cohortName", true);

  private final Configuration configuration;

  ClusterQueueRules(Configuration configuration) {
    this.configuration = configuration;
  }

  @Override
  public ResourceKind kind() {
    return Kinds.CLUSTER_QUEUE;
  }

  @Override
  public ApiObject onCreate(ApiObject queue) {
    return queue.withFinalizer(KueueNames.IN_USE);
  }

  @Override
  public void checkCreate(ApiObject queue) {
    ValidationErrors problems = problems(queue);
    checkFlavorsOfChecks(queue, problems);
    problems.deny(kind(), queue.name());
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after) {
    ValidationErrors old = problems(before);
    ValidationErrors now = problems(after);
    checkFlavorsOfChecks(after, now);
    if (!configuration.has(Gate.REJECT_INVALID_ON_FLAVORS)) {
      checkFlavorsOfChecks(before, old);
    }
    if (configuration.has(Gate.CONCURRENT_ADMISSION)) {
      now.immutable("spec." + POLICY, before.spec().at(POLICY), after.spec().at(POLICY));
    }
    now.denyNew(old, kind(), after.name());
  }

  @Override
  public List<String> warnings(ApiObject queue) {
    return queue.spec().has(POLICY) && !configuration.has(Gate.CONCURRENT_ADMISSION)
        ? List.of(
            "spec.%s: has no effect: the feature gate ConcurrentAdmission is off".formatted(POLICY))
        : List.of();
  }

  private ValidationErrors problems(ApiObject queue) {
    var problems = new ValidationErrors();
    QUOTA.check(queue, problems);
    checkTotals(queue, problems);
    checkPreemption(queue, problems);
    checkFungibility(queue, problems);
    if (queue.spec().has(POLICY) && configuration.has(Gate.CONCURRENT_ADMISSION)) {
      checkVariants(new ClusterQueue(queue), problems);
    }
    new ClusterQueue(queue)
        .namespaceSelector()
        .ifPresent(selector ->
            SelectorValidation.check(
                "spec.namespaceSelector", selector, problems, ClusterQueueRules::reportSelector));
    return problems;
  }

  private static void reportSelector(
      String field, SelectorValidation.Expression expression, ValidationErrors problems) {
    problems.invalidIf(expression.keyProblem(), field + ".key", expression.key());
    problems.oneOf(field + ".operator", expression.operator(), SelectorValidation.OPERATORS);
    switch (expression.values()) {
      case VALID -> {}
      case MISSING ->
          problems.required(field + ".values", "the operators In and NotIn need at least one");
      case NOT_ALLOWED ->
          problems.forbidden(field + ".values", "the operators Exists and DoesNotExist take none");
    }
  }

  private static void checkTotals(ApiObject queue, ValidationErrors problems) {
    int flavors = 0;
    int resources = 0;
    List<Tree> groups = queue.spec().trees("resourceGroups");
    for (int i = 0; i < groups.size(); i++) {
      List<Tree> ofGroup = groups.get(i).trees("flavors");
      int pairs = ofGroup.stream().mapToInt(flavor -> flavor.items("resources").size()).sum();
      flavors += ofGroup.size();
      resources += groups.get(i).items("coveredResources").size();
      atMost(
          "spec.resourceGroups[" + i + "]",
          pairs,
          MAX_PAIRS,
          "pairs of flavor and resource",
          problems);
    }
    atMost("spec.resourceGroups", flavors, MAX_FLAVORS, "flavors in all groups", problems);
    atMost(
        "spec.resourceGroups",
        resources,
        MAX_RESOURCES,
        "covered resources in all groups",
        problems);
  }

  private static void atMost(
      String field, int count, int max, String what, ValidationErrors problems) {
    if (count > max) {
      problems.invalid(field, count, "there may be at most %d %s".formatted(max, what));
    }
  }

  private static void checkPreemption(ApiObject queue, ValidationErrors problems) {
    var view = new ClusterQueue(queue);
    boolean neverReclaims = view.reclaimWithinCohort() == ClusterQueue.PreemptionPolicy.NEVER;
    if (neverReclaims && view.preemptsWhileBorrowing()) {
      problems.invalid(
          "spec.preemption",
          queue.spec().at("preemption"),
          "a queue that never reclaims within its cohort cannot preempt there while it borrows:"
              + " set reclaimWithinCohort, or borrowWithinCohort.policy to Never");
    }
  }

  private static void checkFungibility(ApiObject queue, ValidationErrors problems) {
    Tree fungibility = queue.spec().tree("flavorFungibility");
    boolean triesAll =
        fungibility.text("whenCanBorrow").equals("TryNextFlavor")
            && new ClusterQueue(queue).triesNextRatherThanPreempt();
    String preference = fungibility.text("preference");
    if (!preference.isEmpty() && !triesAll) {
      problems.invalid(
          "spec.flavorFungibility.preference",
          preference,
          "needs both whenCanBorrow and whenCanPreempt to be TryNextFlavor: otherwise the search"
              + " ends before there is a choice");
    }
  }

  /**
   * Each flavor of the single resource group has a variant, and no variant may block the others.
   */
  private static void checkVariants(ClusterQueue queue, ValidationErrors problems) {
    if (queue.resourceGroups().size() != 1) {
      problems.invalid(
          "spec.resourceGroups",
          queue.resourceGroups().size(),
          "a queue with a %s must have exactly one resource group".formatted(POLICY));
      return;
    }
    if (queue.strict()) {
      problems.invalid(
          "spec.queueingStrategy",
          "StrictFIFO",
          "a queue with a %s must be BestEffortFIFO".formatted(POLICY));
    }
    List<String> flavors =
        queue.resourceGroups().getFirst().flavors().stream().map(flavor -> flavor.name()).toList();
    atMost(
        "spec.resourceGroups[0].flavors",
        flavors.size(),
        MAX_VARIANTS,
        "flavors in a queue with a " + POLICY,
        problems);
    String last = queue.concurrentAdmission().orElseThrow().lastAcceptable();
    if (!last.isEmpty() && !flavors.contains(last)) {
      problems.invalid(
          "spec.%s.migration.constraints.lastAcceptableFlavorName".formatted(POLICY),
          last,
          "is not one of the queue's flavors");
    }
  }

  /** A check for a flavor that the queue does not have would never be required. */
  private static void checkFlavorsOfChecks(ApiObject queue, ValidationErrors problems) {
    var known = new TreeSet<String>();
    new ClusterQueue(queue)
        .resourceGroups()
        .forEach(group -> group.flavors().forEach(flavor -> known.add(flavor.name())));
    List<Tree> checks = queue.spec().trees("admissionChecksStrategy", "admissionChecks");
    for (int i = 0; i < checks.size(); i++) {
      List<String> flavors = checks.get(i).textItems("onFlavors");
      for (int j = 0; j < flavors.size(); j++) {
        if (!known.contains(flavors.get(j))) {
          problems.invalid(
              CHECKS + "[" + i + "].onFlavors[" + j + "]",
              flavors.get(j),
              "is not one of the queue's flavors");
        }
      }
    }
  }
}
