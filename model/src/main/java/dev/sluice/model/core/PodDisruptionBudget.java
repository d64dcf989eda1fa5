package dev.sluice.model.core;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.LabelSelector;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;

/**
 * A PodDisruptionBudget: the number of pods that must stay available during voluntary disruptions.
 */
public record PodDisruptionBudget(ApiObject object) {
  /** The condition that is True while disruptions are allowed. */
  public static final String ALLOWED = "DisruptionAllowed";

  /** Its reason if the expected number of pods cannot be computed. */
  public static final String UNCOUNTED = "SyncFailed";

  private static final List<String> DISRUPTED = List.of("status", "disruptedPods");

  public ObjectKey key() {
    return object.key(Kinds.POD_DISRUPTION_BUDGET);
  }

  public String name() {
    return object.name();
  }

  /**
   * Whether it covers a pod. A budget without a selector covers no pod, one with an empty selector
   * covers all.
   */
  public boolean covers(ApiObject pod) {
    return object.spec().has("selector")
        && new LabelSelector(object.spec().tree("selector")).matches(pod.labels());
  }

  /** {@code minAvailable}: a number, a percentage, or null. */
  public Value minAvailable() {
    return object.spec().at("minAvailable");
  }

  /** Whether unhealthy pods may always be evicted. */
  public boolean letsUnhealthyGo() {
    return object.spec().text("unhealthyPodEvictionPolicy").equals("AlwaysAllow");
  }

  /** Whether the status is about the current generation of the budget. */
  public boolean isObserved() {
    return object.status().whole("observedGeneration").orElse(0) >= object.generation();
  }

  public long disruptionsAllowed() {
    return object.status().whole("disruptionsAllowed").orElse(0);
  }

  public long currentHealthy() {
    return object.status().whole("currentHealthy").orElse(0);
  }

  public long desiredHealthy() {
    return object.status().whole("desiredHealthy").orElse(0);
  }

  /** The message why the expected number of pods is unknown; empty if it is known. */
  public String whyUncounted() {
    return object.status().trees("conditions").stream()
        .filter(condition -> condition.text("type").equals(ALLOWED))
        .filter(condition -> condition.text("reason").equals(UNCOUNTED))
        .map(condition -> condition.text("message"))
        .findFirst()
        .orElse("");
  }

  /**
   * The pods whose eviction was allowed and that may still exist, with the time of the eviction.
   */
  public SortedMap<String, String> disrupted() {
    return object.status().texts("disruptedPods");
  }

  /** With one allowed disruption less, for the eviction of a pod. */
  public PodDisruptionBudget spentOn(String pod, Instant now) {
    long left = disruptionsAllowed() - 1;
    ApiObject spent =
        object
            .with(List.of("status", "disruptionsAllowed"), left)
            .with(
                DISRUPTED, object.status().tree("disruptedPods").with(pod, Timestamps.format(now)));
    return new PodDisruptionBudget(spent);
  }

  /** With these disrupted pods. */
  public PodDisruptionBudget withDisrupted(SortedMap<String, String> pods) {
    return new PodDisruptionBudget(
        pods.isEmpty() ? object.without(DISRUPTED) : object.with(DISRUPTED, Tree.of(pods)));
  }

  /** With these counts. */
  public PodDisruptionBudget withCounts(long current, long desired, long expected, long allowed) {
    Tree status =
        object
            .status()
            .with("currentHealthy", current)
            .with("desiredHealthy", desired)
            .with("expectedPods", expected)
            .with("disruptionsAllowed", allowed)
            .with("observedGeneration", object.generation());
    return new PodDisruptionBudget(object.withStatus(status));
  }
}
