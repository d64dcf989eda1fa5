package dev.sluice.engine.variants;

import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The turns in which the variants of a workload may preempt, the best first: only one of them is to
 * run, so victims should be preempted for one of them only. The next has its turn if the one before
 * reserved no quota in its time; a variant that has quota and waits for its admission checks keeps
 * its turn.
 */
record PreemptionTurns(VariantSet family, Instant now) {

  List<VariantStep> open() {
    return candidate()
        .filter(_ -> turnEnds().isEmpty())
        .map(one -> List.<VariantStep>of(new VariantStep.OpenGate(one)))
        .orElse(List.of());
  }

  /** When the next turn begins, if a variant waits for it. */
  Optional<Instant> again() {
    return candidate().isPresent() ? turnEnds() : Optional.empty();
  }

  /** The best variant that needs preemption and is gated. */
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
