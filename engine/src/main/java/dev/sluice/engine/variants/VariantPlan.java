package dev.sluice.engine.variants;

import dev.sluice.engine.queue.QueueSpec.Variants;
import dev.sluice.model.Condition;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The plan of the next steps for a parent and its variants.
 *
 * <p>Goals: the job runs on what exactly one variant holds; no quota is free while the job may run
 * on it; the best flavor wins, as far as the queue migrates its workloads.
 *
 * <p>Method: the variants hold the quota and the parent {@linkplain VariantStep.Mirror mirrors}
 * what one of them was given. When that one must stop, the parent is evicted, which stops the job;
 * only when the parent holds nothing any more is the quota of the variant given back, and another
 * one mirrored. The rules are tried in order, and the first that yields steps ends the planning, so
 * a plan may be carried out in any number of parts.
 *
 * @param steps the steps to do now, independent of each other
 * @param again when to plan again although nothing changes
 */
public record VariantPlan(List<VariantStep> steps, Optional<Instant> again) {
  /** For how long a variant is the only one of its workload that may preempt. */
  static final Duration ONE_PREEMPTS = Duration.ofMinutes(5);

  /** The reason for the eviction of the parent when its variant is lost. */
  public static final String VARIANT_EVICTED = "VariantEvicted";

  /** The reason for the eviction of a variant when a better one takes its place. */
  public static final String FLAVOR_MIGRATION = "FlavorMigration";

  public VariantPlan {
    steps = List.copyOf(steps);
  }

  public static VariantPlan of(VariantSet family, Instant now) {
    var gates = new PreemptionTurns(family, now);
    var planner = new Planner(family, now);
    var wanted = new WantedVariants(family);
    List<VariantStep> steps =
        Stream.<Supplier<List<VariantStep>>>of(
                planner::mark,
                planner::end,
                planner::stop,
                planner::giveBack,
                wanted::exist,
                wanted::follow,
                planner::mirror,
                wanted::switches,
                wanted::giveUp,
                planner::report,
                gates::open)
            .map(Supplier::get)
            .filter(some -> !some.isEmpty())
            .findFirst()
            .orElse(List.of());
    return new VariantPlan(steps, gates.again());
  }

  /** The plan for the variants of a parent that is gone. */
  public static VariantPlan orphaned(List<Workload> variants) {
    var steps = new ArrayList<VariantStep>();
    for (Workload one : variants) {
      end(one, "OwnerNotFound", "The workload's owner no longer exists").ifPresent(steps::add);
    }
    return new VariantPlan(steps, Optional.empty());
  }

  private static Optional<VariantStep> end(Workload variant, String reason, String message) {
    if (!variant.finished()) {
      return Optional.of(new VariantStep.Finish(variant, reason, message));
    }
    return variant.object().hasFinalizer(KueueNames.IN_USE)
        ? Optional.of(new VariantStep.LetGo(variant))
        : Optional.empty();
  }

  /** The rules for one parent with its variants. */
  private record Planner(VariantSet family, Instant now) {

    private Workload parent() {
      return family.parent();
    }

    private List<VariantStep> mark() {
      if (parent().isParent() || parent().finished()) {
        return List.of();
      }
      boolean becomes = family.rules().isPresent() && !parent().reserved();
      return becomes || !family.variants().isEmpty()
          ? List.of(new VariantStep.Mark(parent()))
          : List.of();
    }

    private List<VariantStep> end() {
      if (!parent().finished()) {
        return List.of();
      }
      WorkloadStatus status = parent().status();
      String reason = status.reason(WorkloadStatus.FINISHED);
      String message = status.message(WorkloadStatus.FINISHED);
      return family.variants().stream()
          .flatMap(one -> VariantPlan.end(one, reason, message).stream())
          .toList();
    }

    /** Stops the job where its quota must be released. */
    private List<VariantStep> stop() {
      if (parent().finished() || !family.mayRun()) {
        return List.of();
      }
      Optional<Workload> mirrored = family.mirrored();
      if (VariantSet.isEvicted(parent())) {
        return mirrored
            .filter(one -> !VariantSet.isEvicted(one))
            .map(one -> List.of(evict(one, parent().status())))
            .orElse(List.of());
      }
      if (mirrored.isEmpty() || mirrored.get().object().isDeleting()) {
        String message = "No variant holds the quota that the workload was given";
        return List.of(new VariantStep.Evict(parent(), VARIANT_EVICTED, message));
      }
      return VariantSet.isEvicted(mirrored.get())
          ? List.of(evict(parent(), mirrored.get().status()))
          : migrate(mirrored.get());
    }

    private static VariantStep evict(Workload workload, WorkloadStatus like) {
      String reason = like.reason(WorkloadStatus.EVICTED);
      String plain = reason.startsWith("Deactivated") ? "Deactivated" : reason;
      return new VariantStep.Evict(workload, plain, like.message(WorkloadStatus.EVICTED));
    }

    /** Migrates the job if a better variant was admitted meanwhile. */
    private List<VariantStep> migrate(Workload running) {
      int targets = family.rules().map(Variants::targets).orElse(0);
      return family
          .best()
          .filter(best -> family.isOpen())
          .filter(best -> family.rank(best) < Math.min(targets, family.rank(running)))
          .map(best ->
              List.<VariantStep>of(
                  new VariantStep.Evict(
                      running,
                      FLAVOR_MIGRATION,
                      "Evicted because variant %s with a more favorable flavor is admitted"
                          .formatted(best.object().name()))))
          .orElse(List.of());
    }

    private List<VariantStep> giveBack() {
      var steps = new ArrayList<VariantStep>();
      for (Workload one : family.variants()) {
        if (parent().finished() || family.isInUse(one)) {
          continue;
        }
        if (one.object().isDeleting() && one.object().hasFinalizer(KueueNames.IN_USE)) {
          steps.add(new VariantStep.LetGo(one));
        } else if (one.reserved() && VariantSet.isEvicted(one) && !one.object().isDeleting()) {
          steps.add(new VariantStep.Release(one));
        }
      }
      return steps;
    }

    private List<VariantStep> mirror() {
      if (parent().finished() || !family.isOpen() || parent().reserved()) {
        return List.of();
      }
      return family
          .best()
          .filter(best -> !VariantWorkload.isOutdated(parent(), best))
          .map(best -> List.<VariantStep>of(new VariantStep.Mirror(parent(), best)))
          .orElse(List.of());
    }

    /**
     * The parent's reclaimable and ready pods count for the quota that the variants hold or
     * request.
     */
    private List<VariantStep> report() {
      if (parent().finished()) {
        return List.of();
      }
      var steps = new ArrayList<VariantStep>();
      for (Workload one : family.live()) {
        WorkloadStatus reported = one.status();
        if (family.isInUse(one)) {
          reported = withReadiness(withReclaimable(reported));
        } else if (!one.reserved()) {
          reported = withReclaimable(reported);
        }
        if (!reported.equals(one.status())) {
          steps.add(new VariantStep.Report(one, reported));
        }
      }
      return steps;
    }

    private WorkloadStatus withReclaimable(WorkloadStatus status) {
      var counts = parent().status().reclaimablePods();
      return counts.equals(status.reclaimablePods()) ? status : status.withReclaimablePods(counts);
    }

    private WorkloadStatus withReadiness(WorkloadStatus status) {
      String type = WorkloadStatus.PODS_READY;
      WorkloadStatus said = parent().status();
      boolean same =
          said.holds(type) == status.holds(type) && said.reason(type).equals(status.reason(type));
      return same || said.reason(type).isEmpty()
          ? status
          : status.with(
              new Condition(type, said.holds(type), said.reason(type), said.message(type)), now);
    }
  }
}
