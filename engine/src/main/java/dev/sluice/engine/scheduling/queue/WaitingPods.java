package dev.sluice.engine.scheduling.queue;

import dev.sluice.engine.scheduling.Diagnosis;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.framework.Permit;
import dev.sluice.engine.scheduling.framework.Placement;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.model.GoDuration;
import dev.sluice.model.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * The pods with reserved resources on a node that may not be bound yet, because a {@link Permit}
 * lets them wait.
 *
 * <p>Threads: none; it belongs to the scheduler.
 */
public final class WaitingPods {
  private static final Duration MAX_WAIT = Duration.ofMinutes(15);

  /**
   * A waiting pod, whose resources are reserved.
   *
   * @param by the plugin that lets it wait
   */
  public record Held(
      QueuedPod queued, String node, Plugin by, Duration patience, Instant deadline) {

    /** How long it has waited. */
    public Duration waited(Instant now) {
      return patience.minus(Duration.between(now, deadline));
    }

    public ObjectKey key() {
      return queued.key();
    }

    /** The outcome if it is rejected. */
    public Placement.Unschedulable refusedBecause(String reason) {
      return Diagnosis.notPermitted(by, reason);
    }
  }

  /** The outcome of all Permit plugins together. */
  public sealed interface Outcome {}

  /** All permit it: it may be bound. */
  public record Go() implements Outcome {}

  /** It waits for the first plugin that does not permit it yet. */
  public record Hold(Held held) implements Outcome {}

  /** A plugin rejected it. */
  public record Refused(Placement.Unschedulable why) implements Outcome {}

  /** A pod that waited and does no longer, or now for another plugin. */
  public record Review(Held held, Outcome outcome) {}

  private final List<Permit> permits;
  private final LinkedHashMap<ObjectKey, Held> held = new LinkedHashMap<>();

  /**
   * @param permits the plugins in the order in which they are called
   */
  public WaitingPods(List<Permit> permits) {
    this.permits = List.copyOf(permits);
  }

  /** Calls the plugins for a pod that has just found its node. */
  public Outcome ask(QueuedPod queued, String node, Instant now) {
    Outcome outcome = outcome(queued, node, now);
    settle(queued, node, outcome);
    return outcome;
  }

  private Outcome outcome(QueuedPod queued, String node, Instant now) {
    for (Permit permit : permits) {
      switch (permit.ask(queued.pod(), node, now)) {
        case Permit.Yes _ -> {}
        case Permit.Wait(Duration patience) -> {
          return wait(queued, node, permit.plugin(), patience, now);
        }
        case Permit.No(String reason) -> {
          return refused(permit.plugin(), reason);
        }
      }
    }
    return new Go();
  }

  private Outcome wait(QueuedPod queued, String node, Plugin by, Duration asked, Instant now) {
    Held before = held.get(queued.key());
    if (before != null && before.by().equals(by)) {
      return now.isBefore(before.deadline())
          ? new Hold(before)
          : refused(
              by,
              "rejected due to timeout after waiting %s at plugin %s"
                  .formatted(GoDuration.format(before.patience()), by.word()));
    }
    Duration patience = asked.compareTo(MAX_WAIT) < 0 ? asked : MAX_WAIT;
    return new Hold(new Held(queued, node, by, patience, now.plus(patience)));
  }

  private static Outcome refused(Plugin by, String reason) {
    return new Refused(Diagnosis.notPermitted(by, reason));
  }

  private void settle(QueuedPod queued, String node, Outcome outcome) {
    switch (outcome) {
      case Hold(Held waits) -> held.put(queued.key(), waits);
      case Go _ -> held.remove(queued.key());
      case Refused _ -> {
        held.remove(queued.key());
        lost(queued.pod(), node);
      }
    }
  }

  /**
   * Calls the plugins for all waiting pods, and again if one was rejected, since others may have
   * waited for it. Returns the pods whose outcome changed.
   */
  public List<Review> review(Instant now) {
    var changed = new ArrayList<Review>();
    boolean again = !held.isEmpty();
    while (again) {
      again = false;
      for (Held one : List.copyOf(held.values())) {
        Outcome outcome = ask(one.queued(), one.node(), now);
        again |= outcome instanceof Refused;
        if (!outcome.equals(new Hold(one))) {
          changed.add(new Review(one, outcome));
        }
      }
    }
    return changed;
  }

  /** Notifies the plugins that a pod was rejected, or could not be bound after all. */
  public void lost(PodFacts pod, String node) {
    permits.forEach(permit -> permit.lost(pod, node));
  }

  /** Removes a pod that is gone or was rejected; returns it if it was waiting. */
  public Optional<Held> drop(ObjectKey key) {
    Optional<Held> dropped = Optional.ofNullable(held.remove(key));
    dropped.ifPresent(one -> lost(one.queued().pod(), one.node()));
    return dropped;
  }

  /** The pod of this name, if it is waiting. */
  public Optional<Held> find(ObjectKey key) {
    return Optional.ofNullable(held.get(key));
  }

  /** The number of waiting pods. */
  public int size() {
    return held.size();
  }

  /** When the next timeout ends. */
  public Optional<Instant> nextDeadline() {
    return held.values().stream().map(Held::deadline).min(Comparator.naturalOrder());
  }
}
