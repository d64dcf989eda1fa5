package dev.sluice.controllers.scheduling;

import dev.sluice.engine.placement.PodNeeds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.Pod;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The pods that fit nowhere, together with those of the same needs: so room that was freed is
 * compared once with each kind of need, and not with every pod.
 *
 * <p>Threads: none; they belong to the scheduler.
 */
final class WaitingPods {

  /** Higher priorities go first, then older pods. */
  private record Waiting(ObjectKey key, PodNeeds needs, long priority, Instant created) {
    static final Comparator<Waiting> ORDER =
        Comparator.comparingLong((Waiting waiting) -> -waiting.priority())
            .thenComparing(Waiting::created)
            .thenComparing(Waiting::key);
  }

  private final LinkedHashMap<PodNeeds, TreeSet<Waiting>> byNeeds = new LinkedHashMap<>();
  private final TreeMap<ObjectKey, Waiting> byKey = new TreeMap<>();

  void add(Pod pod, PodNeeds needs) {
    remove(pod.key());
    Instant created = pod.object().created().orElse(Instant.EPOCH);
    var waiting = new Waiting(pod.key(), needs, pod.spec().priority(), created);
    byKey.put(waiting.key(), waiting);
    byNeeds.computeIfAbsent(needs, ignored -> new TreeSet<>(Waiting.ORDER)).add(waiting);
  }

  void remove(ObjectKey key) {
    Waiting waiting = byKey.remove(key);
    TreeSet<Waiting> alike = waiting == null ? null : byNeeds.get(waiting.needs());
    if (waiting != null && alike != null) {
      alike.remove(waiting);
      if (alike.isEmpty()) {
        byNeeds.remove(waiting.needs());
      }
    }
  }

  /** The pod that goes first of those whose needs can be met. */
  Optional<ObjectKey> first(Predicate<PodNeeds> met) {
    return byNeeds.entrySet().stream()
        .filter(alike -> met.test(alike.getKey()))
        .map(alike -> alike.getValue().first())
        .min(Waiting.ORDER)
        .map(Waiting::key);
  }
}
