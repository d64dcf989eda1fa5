package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Containers.Run;
import dev.sluice.controllers.nodes.local.Containers.RunId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** What is known of the runs of all pods. Threads: safe. */
final class PodRecords {
  private final ConcurrentSkipListMap<String, PodRecord> records = new ConcurrentSkipListMap<>();

  /** The record of a pod, which is begun if there is none. */
  PodRecord of(String pod) {
    return records.computeIfAbsent(pod, _ -> new PodRecord());
  }

  Optional<PodRecord> find(String pod) {
    return Optional.ofNullable(records.get(pod));
  }

  List<String> pods() {
    return List.copyOf(records.keySet());
  }

  List<Run> runs(String pod) {
    return find(pod).map(PodRecord::runs).orElse(List.of());
  }

  /** The latest run of a container, or the one before it. */
  Optional<RunId> run(String pod, String container, boolean previous) {
    return find(pod).flatMap(record -> record.run(container, previous));
  }

  /** The process of a run while it lives. */
  Optional<ProcessRun> process(RunId id) {
    return find(id.pod()).flatMap(record -> record.process(id));
  }

  List<ProcessRun> processes(String pod) {
    return find(pod).map(PodRecord::processes).orElse(List.of());
  }

  /** Those of all pods. */
  List<ProcessRun> processes() {
    return records.values().stream().flatMap(record -> record.processes().stream()).toList();
  }

  /**
   * Removes a record that is no longer wanted if nothing of its pod runs; returns whether it did.
   */
  boolean removeIfForgotten(String pod) {
    return find(pod)
        .filter(PodRecord::mayGo)
        .filter(record -> records.remove(pod, record))
        .isPresent();
  }
}
