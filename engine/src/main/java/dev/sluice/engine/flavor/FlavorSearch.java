package dev.sluice.engine.flavor;

import dev.sluice.engine.queue.NoFitReason;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.model.kueue.ResourceGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The search through the flavors of a resource group, in the queue's order, until one is good
 * enough; if none is, the best of them is taken.
 */
final class FlavorSearch {
  private final QuotaLedger ledger;
  private final FlavorRules rules;
  private final QueueSpec queue;
  private final PendingWorkload workload;
  private final QuotaCheck quota;
  private final boolean onlyWhatFits;

  FlavorSearch(
      QuotaLedger ledger,
      FlavorRules rules,
      QueueSpec queue,
      PendingWorkload workload,
      QuotaCheck quota,
      boolean onlyWhatFits) {
    this.ledger = ledger;
    this.rules = rules;
    this.queue = queue;
    this.workload = workload;
    this.quota = quota;
    this.onlyWhatFits = onlyWhatFits;
  }

  /**
   * The result of a search.
   *
   * @param best the chosen flavor; {@link FlavorFit#NONE} if none fits
   * @param reached the index of the flavor that was tried last
   * @param finished whether no flavor is left to try next time
   */
  record Found(FlavorFit best, int reached, boolean finished, List<FlavorAttempt> attempts) {

    boolean isNothing() {
      return best.mode() == AssignmentMode.NO_FIT;
    }

    /** Why it does not fit yet; empty if it does, whatever flavors were skipped before. */
    List<NoFitReason> missing() {
      if (best.mode() == AssignmentMode.FIT) {
        return List.of();
      }
      if (attempts.size() == 1) {
        return attempts.getFirst().reasons();
      }
      var missing = new ArrayList<NoFitReason>();
      attempts.forEach(attempt -> missing.addAll(attempt.reasons()));
      return missing;
    }
  }

  /**
   * @param together pod sets that get the same flavor
   * @param requests their requests for the group's resources, together
   * @param assumed the usage of the pod sets before them
   * @param start the index of the first flavor to try
   */
  Found look(
      ResourceGroup group,
      List<PodSetRequest> together,
      SortedMap<String, Long> requests,
      Map<FlavorResource, Long> assumed,
      int start) {
    FlavorFit best = FlavorFit.NONE;
    int reached = -1;
    var attempts = new ArrayList<FlavorAttempt>();
    for (int i = start; i < group.flavors().size(); i++) {
      reached = i;
      String flavor = group.flavors().get(i).name();
      if (!workload.allows(flavor)) {
        continue; // a sibling tries it
      }
      FlavorFit trial = attempt(flavor, together, requests, assumed, attempts);
      if (stops(trial)) {
        best = trial;
        break;
      }
      best = isBetter(trial, best) ? trial : best;
    }
    boolean finished = !rules.fungible() || reached == group.flavors().size() - 1;
    return new Found(best, reached, finished, attempts);
  }

  private boolean stops(FlavorFit trial) {
    if (!rules.fungible()) {
      return trial.mode() == AssignmentMode.FIT;
    }
    QueueSpec.Fungibility fungibility = queue.fungibility();
    return switch (trial.mode()) {
      case NO_FIT, NO_CANDIDATES -> false;
      case PREEMPT, RECLAIM ->
          !fungibility.nextRatherThanPreempt()
              && !(trial.level() > 0 && fungibility.nextRatherThanBorrow());
      case FIT -> !(trial.level() > 0 && fungibility.nextRatherThanBorrow());
    };
  }

  private boolean isBetter(FlavorFit trial, FlavorFit best) {
    return rules.fungible()
        ? trial.isPreferredTo(best, queue.fungibility())
        : trial.mode().compareTo(best.mode()) > 0;
  }

  private FlavorFit attempt(
      String flavor,
      List<PodSetRequest> together,
      SortedMap<String, Long> requests,
      Map<FlavorResource, Long> assumed,
      List<FlavorAttempt> attempts) {
    Optional<NoFitReason> obstacle = obstacle(flavor, together);
    if (obstacle.isPresent()) {
      attempts.add(new FlavorAttempt(flavor, AssignmentMode.NO_FIT, 0, List.of(obstacle.get())));
      return FlavorFit.NONE;
    }
    FlavorFit trial = FlavorFit.EMPTY;
    int level = 0;
    var reasons = new ArrayList<NoFitReason>();
    for (Map.Entry<String, Long> request : requests.entrySet()) {
      var flavorResource = new FlavorResource(flavor, request.getKey());
      QuotaCheck.Result result =
          quota.check(flavorResource, assumed.getOrDefault(flavorResource, 0L), request.getValue());
      result.reason().ifPresent(reasons::add);
      level = Math.max(level, result.level());
      trial = trial.with(request.getKey(), flavor, result, queue.fungibility());
      if (trial.mode() == AssignmentMode.NO_FIT) {
        trial = FlavorFit.NONE;
        break;
      }
    }
    attempts.add(new FlavorAttempt(flavor, trial.mode(), level, reasons));
    return onlyWhatFits && !trial.fits() ? FlavorFit.NONE : trial;
  }

  private Optional<NoFitReason> obstacle(String flavor, List<PodSetRequest> together) {
    var spec = ledger.flavor(flavor);
    if (spec.isEmpty()) {
      return Optional.of(new NoFitReason.FlavorNotFound(flavor));
    }
    if (workload.replaces().isPresent()) {
      Optional<String> held =
          workload.replaces().get().usage().amounts().keySet().stream()
              .map(FlavorResource::flavor)
              .findFirst();
      if (held.isPresent() && holdsOther(flavor)) {
        return Optional.of(new NoFitReason.OtherFlavorHeld(flavor, held.get()));
      }
    }
    for (PodSetRequest podSet : together) {
      Optional<NoFitReason> obstacle = FlavorMatch.obstacle(podSet.needs(), spec.get());
      if (obstacle.isPresent()) {
        return obstacle;
      }
    }
    return Optional.empty();
  }

  /** Whether the slice that it replaces holds another flavor of this flavor's group. */
  private boolean holdsOther(String flavor) {
    var held = workload.replaces().orElseThrow().usage().amounts().keySet();
    return queue.groups().stream()
        .filter(group -> group.flavors().stream().anyMatch(one -> one.name().equals(flavor)))
        .flatMap(group -> group.flavors().stream())
        .anyMatch(one ->
            !one.name().equals(flavor)
                && held.stream().anyMatch(of -> of.flavor().equals(one.name())));
  }
}
