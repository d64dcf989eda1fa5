package dev.sluice.engine.variants;

import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Lets the variants of a family evict others in turn, the best first: only one of them is to run,
 * so others should give way to one of them only. The next has its turn if the one before got
 * nothing in its time; one that got quota, and waits for its checks, is waited for.
 */
record PreemptionTurns(VariantSet family, Instant now) {

  List<VariantStep> open() {
    return candidate()
        .filter(_ -> turnEnds().isEmpty())
        .map(one -> List.<VariantStep>of(new VariantStep.OpenGate(one)))
        .orElse(List.of());
  }

  /** When the next has its turn, if somebody waits for that. */
  Optional<Instant> again() {
    return candidate().isPresent() ? turnEnds() : Optional.empty();
  }

  /** The best that needs others to give way and may not evict them. */
  private Optional<Workload> candidate() {
    boolean may = !family.parent().finished() && family.isOpen() && family.rules().isPresent();
    return may && family.variants().stream().noneMatch(PreemptionTurns::waitsForChecks)
        ? family.variants().stream()
            .filter(PreemptionTurns::waits)
            .filter(one -> one.status().holds(WorkloadStatus.BLOCKED_ON_PREEMPTION_GATES))
            .filter(one -> openSince(one).isEmpty())
            .findFirst()
        : Optional.empty();
  }

  private static boolean waits(Workload variant) {
    return variant.active()
        && !variant.reserved()
        && !variant.finished()
        && !variant.object().isDeleting()
        && !VariantSet.isGivenUp(variant);
  }

  private static boolean waitsForChecks(Workload variant) {
    return variant.reserved()
        && !variant.admitted()
        && !VariantSet.isEvicted(variant)
        && openSince(variant).isPresent();
  }

  private static Optional<Instant> openSince(Workload variant) {
    return variant.status().gateOpenSince(KueueNames.CONCURRENT_ADMISSION_GATE);
  }

  private Optional<Instant> turnEnds() {
    return family.variants().stream()
        .filter(PreemptionTurns::waits)
        .flatMap(one -> openSince(one).stream())
        .map(since -> since.plus(VariantPlan.ONE_PREEMPTS))
        .max(Instant::compareTo)
        .filter(now::isBefore);
  }
}
