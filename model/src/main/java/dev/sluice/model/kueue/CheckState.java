package dev.sluice.model.kueue;

import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The state of an admission check for a workload. */
public record CheckState(Tree tree) {
  public static final String PENDING = "Pending";
  public static final String READY = "Ready";
  public static final String RETRY = "Retry";
  public static final String REJECTED = "Rejected";

  public static CheckState pending(String name, Instant now) {
    return new CheckState(Tree.of("name", name)).in(PENDING, "", now);
  }

  public String name() {
    return tree.text("name");
  }

  public String state() {
    return tree.text("state");
  }

  public String message() {
    return tree.text("message");
  }

  public boolean ready() {
    return state().equals(READY);
  }

  public Optional<Instant> since() {
    return Timestamps.parse(tree.text("lastTransitionTime"));
  }

  /** The time that a workload waits after the check requested a retry. */
  public Optional<Duration> requeueAfter() {
    var seconds = tree.whole("requeueAfterSeconds");
    return seconds.isPresent()
        ? Optional.of(Duration.ofSeconds(seconds.getAsLong()))
        : Optional.empty();
  }

  public int retryCount() {
    return (int) tree.whole("retryCount").orElse(0);
  }

  /** The updates of pod sets: {@code name}, labels, annotations, nodeSelector, tolerations. */
  public List<Tree> podSetUpdates() {
    return tree.trees("podSetUpdates");
  }

  public CheckState in(String state, String message, Instant now) {
    return new CheckState(
        tree.with("state", state)
            .with("message", message)
            .with("lastTransitionTime", Timestamps.format(now)));
  }

  public CheckState withRetryCount(int count) {
    return new CheckState(tree.with("retryCount", count));
  }

  public CheckState withoutRetryCount() {
    return new CheckState(tree.without("retryCount"));
  }

  public CheckState withoutPodSetUpdates() {
    return new CheckState(tree.without("podSetUpdates"));
  }
}
