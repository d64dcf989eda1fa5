package dev.sluice.engine.scheduling.queue;

import dev.sluice.engine.scheduling.framework.Plugin;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The pods that found no node and that nothing has happened for since, each with its {@link
 * UnschedulableGroup}.
 *
 * <p>Threads: none; they belong to the queue.
 */
final class UnschedulablePods {
  private final LinkedHashMap<UnschedulableGroup, TreeSet<QueuedPod>> byKin = new LinkedHashMap<>();

  void add(UnschedulableGroup kin, QueuedPod queued) {
    byKin.computeIfAbsent(kin, _ -> new TreeSet<>(QueuedPod.ORDER)).add(queued);
  }

  void remove(UnschedulableGroup kin, QueuedPod queued) {
    TreeSet<QueuedPod> members = byKin.get(kin);
    if (members != null) {
      members.remove(queued);
      if (members.isEmpty()) {
        byKin.remove(kin);
      }
    }
  }

  boolean isEmpty() {
    return byKin.isEmpty();
  }

  List<UnschedulableGroup> kins() {
    return List.copyOf(byKin.keySet());
  }

  /** The one of a kin who goes first, if there is one. */
  @Nullable QueuedPod first(UnschedulableGroup kin) {
    TreeSet<QueuedPod> members = byKin.get(kin);
    return members == null ? null : members.first();
  }

  /** How many sleep because of each filter, by the name of the scheduler they ask for. */
  SortedMap<String, SortedMap<Plugin, Integer>> refused() {
    var counts = new TreeMap<String, SortedMap<Plugin, Integer>>();
    byKin.forEach((kin, pods) -> {
      var own = counts.computeIfAbsent(kin.shape().schedulerName(), _ -> new TreeMap<>());
      kin.plugins().forEach(plugin -> own.merge(plugin, pods.size(), Integer::sum));
    });
    return counts;
  }
}
