package dev.sluice.controllers.housekeeping;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.OwnerReference;
import dev.sluice.model.Timestamps;
import dev.sluice.model.core.PodDisruptionBudget;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The controller of PodDisruptionBudgets: counts the healthy pods of each and, from that, how many
 * may be disrupted.
 *
 * <p>Percentages and {@code maxUnavailable} need the expected number of pods from a scale
 * subresource. A Job has none: such a budget allows no disruption.
 *
 * <p>Threads: reconciled by one thread at a time.
 */
public final class DisruptionController implements Controller {
  /** An evicted pod that still exists after this time is not expected to go any more. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String ALLOWED = PodDisruptionBudget.ALLOWED;

  private final Cluster cluster;
  private final EventRecorder events;

  public DisruptionController(Cluster cluster) {
    this.cluster = cluster;
    this.events = new EventRecorder(cluster, "controllermanager");
  }

  @Override
  public String name() {
    return "disruption-budgets";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        Trigger.on(Kinds.POD_DISRUPTION_BUDGET), new Trigger(Kinds.POD, this::podChanged));
  }

  private List<ObjectKey> podChanged(ObjectEvent event) {
    ApiObject pod = event.object();
    Optional<ApiObject> before = event.before();
    boolean same =
        event.type() == ObjectEvent.Type.MODIFIED
            && before.filter(old -> same(old, pod)).isPresent();
    if (same) {
      return List.of();
    }
    return cluster.list(Kinds.POD_DISRUPTION_BUDGET, pod.namespace()).stream()
        .map(PodDisruptionBudget::new)
        .filter(budget -> budget.covers(pod) || before.filter(budget::covers).isPresent())
        .map(PodDisruptionBudget::key)
        .toList();
  }

  private static boolean same(ApiObject before, ApiObject after) {
    return new Pod(before).isReady() == new Pod(after).isReady()
        && before.isDeleting() == after.isDeleting()
        && before.hasLabelsOf(after);
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Optional<PodDisruptionBudget> found = cluster.get(key).map(PodDisruptionBudget::new);
    if (found.isEmpty() || found.get().object().isDeleting()) {
      return Outcome.DONE;
    }
    PodDisruptionBudget budget = found.get();
    List<Pod> pods =
        cluster.list(Kinds.POD, key.namespace()).stream()
            .filter(budget::covers)
            .map(Pod::new)
            .toList();
    warn(budget, pods);
    Optional<String> unknown = whyUnknown(budget, pods);
    if (unknown.isPresent()) {
      String message = "Failed to calculate the number of expected pods: " + unknown.get();
      events.warning(budget.object(), "CalculateExpectedPodCountFailed", message);
    }
    var awaited = awaited(budget, pods);
    PodDisruptionBudget counted =
        unknown.isPresent()
            ? failed(budget, unknown.get())
            : counted(budget.withDisrupted(awaited), pods);
    if (!counted.object().equals(budget.object())) {
      cluster.patchStatus(Kinds.POD_DISRUPTION_BUDGET, budget.object(), counted.object().status());
    }
    return awaited.isEmpty() ? Outcome.DONE : Outcome.again(PATIENCE);
  }

  /** Warns of budgets that may not do what their author meant. */
  private void warn(PodDisruptionBudget budget, List<Pod> pods) {
    boolean unowned = pods.stream().anyMatch(pod -> pod.object().controller().isEmpty());
    if (pods.isEmpty()) {
      events.normal(budget.object(), "NoPods", "No matching pods found");
    } else if (unowned && !isNumber(budget.minAvailable())) {
      events.warning(
          budget.object(),
          "UnmanagedPods",
          "Some of the selected pods have no controller, so their expected number is unknown:"
              + " set spec.minAvailable to a number");
    }
  }

  /** Why the expected number of pods is unknown, if the budget needs it. */
  private Optional<String> whyUnknown(PodDisruptionBudget budget, List<Pod> pods) {
    if (isNumber(budget.minAvailable())) {
      return Optional.empty();
    }
    return pods.stream()
        .flatMap(pod -> pod.object().controller().stream())
        .map(this::unscalable)
        .findFirst();
  }

  /** No kind here has the scale subresource. */
  private String unscalable(OwnerReference owner) {
    return cluster
        .kind(owner.apiVersion(), owner.kind())
        .map(kind -> kind.qualifiedPlural() + " does not implement the scale subresource")
        .orElse(
            "no matches for kind \"%s\" in version \"%s\""
                .formatted(owner.kind(), owner.apiVersion()));
  }

  private static boolean isNumber(Value value) {
    return value instanceof Value.Whole;
  }

  /** The evicted pods that still exist and are expected to go. */
  private SortedMap<String, String> awaited(PodDisruptionBudget budget, List<Pod> pods) {
    Instant now = cluster.time().now();
    var awaited = new TreeMap<String, String>();
    budget
        .disrupted()
        .forEach((name, moment) -> {
          boolean there =
              pods.stream().anyMatch(pod -> pod.name().equals(name) && !pod.isDeleting());
          boolean recent =
              Timestamps.parse(moment).filter(now.minus(PATIENCE)::isBefore).isPresent();
          if (there && recent) {
            awaited.put(name, moment);
          }
        });
    return awaited;
  }

  private PodDisruptionBudget counted(PodDisruptionBudget budget, List<Pod> pods) {
    long healthy =
        pods.stream()
            .filter(pod -> pod.isReady() && !pod.isDeleting())
            .filter(pod -> !budget.disrupted().containsKey(pod.name()))
            .count();
    // Without minAvailable as a number, pods without a controller count as not expected.
    boolean number = budget.minAvailable() instanceof Value.Whole;
    long expected = number ? pods.size() : 0;
    long desired = budget.minAvailable() instanceof Value.Whole(long least) ? least : 0;
    long allowed = expected > 0 ? Math.max(0, healthy - desired) : 0;
    return withCondition(
        budget.withCounts(healthy, desired, expected, allowed),
        new Condition(
            ALLOWED, allowed > 0, allowed > 0 ? "SufficientPods" : "InsufficientPods", ""));
  }

  private PodDisruptionBudget failed(PodDisruptionBudget budget, String why) {
    Tree status = budget.object().status();
    PodDisruptionBudget safe =
        budget.withCounts(
            budget.currentHealthy(),
            budget.desiredHealthy(),
            status.whole("expectedPods").orElse(0),
            0);
    return withCondition(safe, new Condition(ALLOWED, false, PodDisruptionBudget.UNCOUNTED, why));
  }

  private PodDisruptionBudget withCondition(PodDisruptionBudget budget, Condition condition) {
    ApiObject object = budget.object();
    Tree status = condition.in(object.status(), cluster.time().now());
    List<Tree> conditions =
        status.trees("conditions").stream()
            .map(entry ->
                entry.text("type").equals(ALLOWED)
                    ? entry.with("observedGeneration", object.generation())
                    : entry)
            .toList();
    return new PodDisruptionBudget(object.withStatus(status.with("conditions", conditions)));
  }
}
