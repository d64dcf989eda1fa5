package dev.sluice.simulator.run;

import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.Usage;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.Timestamps;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.ObjectEvent;
import dev.sluice.simulator.result.Eviction;
import dev.sluice.simulator.result.RunResult.DepthSeries;
import dev.sluice.simulator.result.RunResult.QuotaSeries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Records how workloads wait, reserve quota, and are evicted and requeued. */
final class WorkloadRecorder {
  private record Key(String clusterQueue, FlavorResource what) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int order = clusterQueue.compareTo(other.clusterQueue);
      return order != 0 ? order : what.compareTo(other.what);
    }
  }

  /** What counts of a workload: the queue in which it is pending, or has reserved quota. */
  private record Seen(
      String clusterQueue, boolean pending, Usage usage, boolean evicted, boolean requeued) {
    private static final Seen NOTHING = new Seen("", false, Usage.NONE, false, false);
  }

  private final Cluster cluster;
  private final Supplier<Duration> elapsed;
  private final JobRecorder jobs;
  private final List<Tree> decisions;
  private final TreeMap<String, Seen> workloads = new TreeMap<>();
  private final TreeMap<Key, SeriesRecorder> reservations = new TreeMap<>();
  private final TreeMap<String, SeriesRecorder> depths = new TreeMap<>();
  private final List<Eviction> evictions = new ArrayList<>();

  WorkloadRecorder(
      Cluster cluster, Supplier<Duration> elapsed, JobRecorder jobs, List<Tree> decisions) {
    this.cluster = cluster;
    this.elapsed = elapsed;
    this.jobs = jobs;
    this.decisions = decisions;
  }

  void changed(ObjectEvent event) {
    var workload = new Workload(event.object());
    String path = event.object().path();
    boolean gone = event.type() == ObjectEvent.Type.DELETED;
    Seen before = workloads.getOrDefault(path, Seen.NOTHING);
    Seen now = gone ? Seen.NOTHING : seen(workload);
    if (gone) {
      workloads.remove(path);
    } else {
      workloads.put(path, now);
      if (now.evicted() && !before.evicted()) {
        evicted(workload, before.clusterQueue());
      }
      if (now.requeued() && !before.requeued()) {
        decided(workload, "Requeue", WorkloadStatus.REQUEUED);
      }
      if (workload.admitted()) {
        jobs.admitted(job(event.object()), flavor(workload));
      }
    }
    count(before, now);
  }

  private Seen seen(Workload workload) {
    WorkloadStatus status = workload.status();
    boolean reserved = workload.reserved() && !workload.finished();
    Usage usage = reserved ? workload.admission().map(Usage::of).orElse(Usage.NONE) : Usage.NONE;
    boolean pending = !reserved && !workload.finished() && workload.active();
    String queue =
        reserved
            ? workload.clusterQueue().orElse("")
            : clusterQueue(cluster, workload.object().namespace(), workload.queueName());
    return new Seen(
        queue,
        pending && !queue.isEmpty(),
        usage,
        status.holds(WorkloadStatus.EVICTED),
        status.holds(WorkloadStatus.REQUEUED));
  }

  /** The ClusterQueue of a LocalQueue; empty if there is none. */
  static String clusterQueue(Cluster cluster, String namespace, String localQueue) {
    return cluster
        .get(Kinds.LOCAL_QUEUE.key(namespace, localQueue))
        .map(queue -> new LocalQueue(queue).clusterQueue())
        .orElse("");
  }

  private static String job(ApiObject workload) {
    return workload.controller().map(owner -> workload.namespace() + "/" + owner.name()).orElse("");
  }

  private static String flavor(Workload workload) {
    return workload
        .admission()
        .flatMap(admission ->
            Usage.of(admission).amounts().keySet().stream().map(FlavorResource::flavor).findFirst())
        .orElse("");
  }

  private void evicted(Workload workload, String clusterQueue) {
    WorkloadStatus status = workload.status();
    String reason = status.reason(WorkloadStatus.EVICTED);
    boolean preempted = reason.equals(WorkloadStatus.PREEMPTED);
    evictions.add(
        new Eviction(
            elapsed.get(),
            workload.object().path(),
            job(workload.object()),
            clusterQueue,
            reason,
            preempted ? status.reason(WorkloadStatus.PREEMPTED) : "",
            status.message(WorkloadStatus.EVICTED)));
    decided(workload, "Evict", WorkloadStatus.EVICTED);
    if (preempted) {
      jobs.preempted(job(workload.object()));
    }
  }

  private void decided(Workload workload, String decision, String condition) {
    decisions.add(
        Tree.of(
            "at",
            Timestamps.format(cluster.time().now()),
            "workload",
            workload.object().path(),
            "decision",
            decision,
            "reason",
            workload.status().reason(condition),
            "message",
            workload.status().message(condition)));
  }

  private void count(Seen before, Seen now) {
    if (before.pending() != now.pending() || !before.clusterQueue().equals(now.clusterQueue())) {
      depth(before, -1);
      depth(now, 1);
    }
    if (!before.usage().equals(now.usage()) || !before.clusterQueue().equals(now.clusterQueue())) {
      reserve(before, -1);
      reserve(now, 1);
    }
  }

  private void depth(Seen workload, int change) {
    if (workload.pending()) {
      depths
          .computeIfAbsent(workload.clusterQueue(), _ -> new SeriesRecorder())
          .add(elapsed.get(), change);
    }
  }

  private void reserve(Seen workload, int sign) {
    for (int i = 0; i < workload.usage().size(); i++) {
      reservations
          .computeIfAbsent(
              new Key(workload.clusterQueue(), workload.usage().what(i)), _ -> new SeriesRecorder())
          .add(elapsed.get(), sign * workload.usage().amount(i));
    }
  }

  List<Eviction> evictions() {
    return evictions;
  }

  List<QuotaSeries> reservations() {
    var list = new ArrayList<QuotaSeries>();
    reservations.forEach((key, series) ->
        list.add(
            new QuotaSeries(
                key.clusterQueue(), key.what().flavor(), key.what().resource(), series.series())));
    return list;
  }

  List<DepthSeries> depths() {
    var list = new ArrayList<DepthSeries>();
    depths.forEach((queue, series) -> list.add(new DepthSeries(queue, series.series())));
    return list;
  }
}
