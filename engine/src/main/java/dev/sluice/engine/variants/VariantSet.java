package dev.sluice.engine.variants;

import dev.sluice.engine.queue.QueueSpec.Variants;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A parent workload with its variants.
 *
 * @param variants all variants that the parent owns, the best first
 * @param queue whether their ClusterQueue is known
 * @param rules the rules of the ClusterQueue; empty if it has none for variants
 * @param names the name of the variant of a flavor
 */
public record VariantSet(
    Workload parent,
    List<Workload> variants,
    boolean queue,
    Optional<Variants> rules,
    UnaryOperator<String> names) {
  public VariantSet {
    Optional<Variants> known = rules;
    variants =
        variants.stream()
            .sorted(
                Comparator.<Workload>comparingInt(one -> rank(one, known))
                    .thenComparing(one -> one.object().name()))
            .toList();
  }

  private static int rank(Workload variant, Optional<Variants> rules) {
    return rules.isEmpty()
        ? Integer.MAX_VALUE
        : rules.get().rank(variant.allowedFlavor()).orElse(Integer.MAX_VALUE);
  }

  int rank(Workload variant) {
    return rank(variant, rules);
  }

  /** Whether the job may run on the parent's quota. */
  boolean mayRun() {
    boolean stopped =
        parent.object().isDeleting() && !parent.object().hasFinalizer(KueueNames.IN_USE);
    return parent.reserved() && !stopped;
  }

  /** Whether the parent's variants may be queued. */
  boolean isOpen() {
    return parent.active()
        && !parent.object().isDeleting()
        && parent.status().requeueAt().isEmpty();
  }

  /** The variant that holds the quota on which the job runs. */
  Optional<Workload> mirrored() {
    Optional<Admission> given = parent.admission();
    List<Workload> holders =
        variants.stream()
            .filter(one -> given.isPresent() && !one.finished() && one.admission().equals(given))
            .toList();
    return holders.stream().filter(VariantSet::mayRun).findFirst().or(() -> first(holders));
  }

  private static Optional<Workload> first(List<Workload> some) {
    return some.isEmpty() ? Optional.empty() : Optional.of(some.getFirst());
  }

  /** Whether the quota of a variant must stay, because the job may run on it. */
  boolean isInUse(Workload variant) {
    return mayRun() && mirrored().filter(variant::equals).isPresent();
  }

  /** The variants that are not being deleted. */
  List<Workload> live() {
    return variants.stream().filter(one -> !one.object().isDeleting()).toList();
  }

  /** The best variant that may run. */
  Optional<Workload> best() {
    return variants.stream().filter(VariantSet::mayRun).findFirst();
  }

  private static boolean mayRun(Workload variant) {
    return variant.admitted()
        && !isEvicted(variant)
        && !variant.finished()
        && !variant.object().isDeleting();
  }

  /** The variant that decides which others may be queued. */
  Optional<Workload> winner() {
    return mayRun() ? mirrored() : best();
  }

  static boolean isEvicted(Workload workload) {
    return workload.status().holds(WorkloadStatus.EVICTED);
  }

  /** Whether a variant was deactivated for good, for example by a rejected admission check. */
  static boolean isGivenUp(Workload variant) {
    WorkloadStatus status = variant.status();
    boolean off =
        !variant.active()
            && status.holds(WorkloadStatus.EVICTED)
            && status.reason(WorkloadStatus.EVICTED).startsWith("DeactivatedDueTo");
    return off || status.holds(WorkloadStatus.DEACTIVATION_TARGET);
  }
}
