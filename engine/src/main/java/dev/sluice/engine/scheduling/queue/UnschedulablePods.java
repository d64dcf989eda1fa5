package dev.sluice.engine.scheduling.queue;

import dev.sluice.engine.scheduling.framework.Plugin;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The unschedulable pods that no event has helped yet, by {@link UnschedulableGroup}.
 *
 * <p>Threads: none; they belong to the queue.
 */
final class UnschedulablePods {
  private final LinkedHashMap<UnschedulableGroup, TreeSet<QueuedPod>> byGroup =
      new LinkedHashMap<>();

  void add(UnschedulableGroup group, QueuedPod queued) {
    byGroup.computeIfAbsent(group, _ -> new TreeSet<>(QueuedPod.ORDER)).add(queued);
  }

  void remove(UnschedulableGroup group, QueuedPod queued) {
    TreeSet<QueuedPod> members = byGroup.get(group);
    if (members != null) {
      members.remove(queued);
      if (members.isEmpty()) {
        byGroup.remove(group);
      }
    }
  }

  boolean isEmpty() {
    return byGroup.isEmpty();
  }

  List<UnschedulableGroup> kins() {
    return List.copyOf(byGroup.keySet());
  }

  /** The first pod of a group; null if there is none. */
  @Nullable QueuedPod first(UnschedulableGroup group) {
    TreeSet<QueuedPod> members = byGroup.get(group);
    return members == null ? null : members.first();
  }

  /** The number of pods by scheduler name and rejecting filter. */
  SortedMap<String, SortedMap<Plugin, Integer>> refused() {
    var counts = new TreeMap<String, SortedMap<Plugin, Integer>>();
    byGroup.forEach((group, pods) -> {
      var own = counts.computeIfAbsent(group.signature().schedulerName(), _ -> new TreeMap<>());
      group.plugins().forEach(plugin -> own.merge(plugin, pods.size(), Integer::sum));
    });
    return counts;
  }
}
