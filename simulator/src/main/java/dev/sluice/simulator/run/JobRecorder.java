package dev.sluice.simulator.run;

import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.OwnerReference;
import dev.sluice.model.batch.Job;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.ObjectEvent;
import dev.sluice.simulator.result.JobResult;
import dev.sluice.simulator.result.ResourceTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** Records the lives of jobs and of their pods. */
final class JobRecorder {
  private static final double NANOS_PER_SECOND = 1e9;

  /** A pod on a node. */
  private record OnNode(String pool, Amounts requests, Duration since) {}

  /**
   * A pod that exists.
   *
   * @param node empty until it is bound, and again once it has ended
   */
  private record PodRecord(Duration created, Optional<OnNode> node, boolean started) {}

  private final Cluster cluster;
  private final Supplier<Duration> elapsed;
  private final NodeRecorder nodes;
  private final LinkedHashMap<String, JobRecord> jobs = new LinkedHashMap<>();

  /** The newest of the jobs with a path: a path may be used again. */
  private final TreeMap<String, JobRecord> byPath = new TreeMap<>();

  private final TreeMap<String, PodRecord> pods = new TreeMap<>();
  private final TreeMap<String, Double> waste = new TreeMap<>();
  private final List<Duration> latencies = new ArrayList<>();
  private int ended;

  JobRecorder(Cluster cluster, Supplier<Duration> elapsed, NodeRecorder nodes) {
    this.cluster = cluster;
    this.elapsed = elapsed;
    this.nodes = nodes;
  }

  void jobChanged(ObjectEvent event) {
    ApiObject object = event.object();
    var job = new Job(object);
    JobRecord record = jobs.get(object.uid());
    if (record == null) {
      String clusterQueue =
          WorkloadRecorder.clusterQueue(
              cluster, object.namespace(), object.label(KueueNames.QUEUE_NAME));
      record = new JobRecord(job, clusterQueue, elapsed.get());
      jobs.put(object.uid(), record);
      byPath.put(object.path(), record);
    }
    boolean before = record.isEnded();
    record.changed(job, elapsed.get());
    ended += record.isEnded() && !before ? 1 : 0;
  }

  void podChanged(ObjectEvent event) {
    var pod = new Pod(event.object());
    PodRecord record =
        pods.getOrDefault(pod.uid(), new PodRecord(elapsed.get(), Optional.empty(), false));
    Optional<JobRecord> job =
        pod.object().controller().map(OwnerReference::uid).map(uid -> jobs.get(uid));
    if (!record.started() && pod.isBound() && record.node().isEmpty()) {
      record = bound(pod, record, job);
    }
    if (!record.started() && pod.status().started().isPresent()) {
      record = new PodRecord(record.created(), record.node(), true);
      job.ifPresent(owner -> owner.podStarted(elapsed.get()));
    }
    boolean gone = event.type() == ObjectEvent.Type.DELETED;
    if (record.node().isPresent() && (gone || pod.isTerminal())) {
      released(pod, record.node().get(), job);
      record = new PodRecord(record.created(), Optional.empty(), true);
    }
    if (gone) {
      pods.remove(pod.uid());
    } else {
      pods.put(pod.uid(), record);
    }
  }

  private PodRecord bound(Pod pod, PodRecord record, Optional<JobRecord> job) {
    String pool = nodes.pool(pod.nodeName());
    Amounts requests = pod.spec().requests().plus(Amounts.of("pods", 1));
    latencies.add(elapsed.get().minus(record.created()));
    nodes.allocated(pool, requests);
    job.ifPresent(owner -> owner.podBound(pool, elapsed.get()));
    return new PodRecord(
        record.created(), Optional.of(new OnNode(pool, requests, elapsed.get())), false);
  }

  private void released(Pod pod, OnNode node, Optional<JobRecord> job) {
    boolean succeeded = pod.phase() == Pod.Phase.SUCCEEDED;
    nodes.released(node.pool(), node.requests());
    job.ifPresent(owner -> owner.podReleased(succeeded, elapsed.get()));
    if (!succeeded) {
      double seconds = elapsed.get().minus(node.since()).toNanos() / NANOS_PER_SECOND;
      node.requests()
          .forEach((resource, amount) -> waste.merge(resource, amount * seconds, Double::sum));
    }
  }

  void admitted(String job, String flavor) {
    JobRecord record = byPath.get(job);
    if (record != null) {
      record.admitted(flavor, elapsed.get());
    }
  }

  void preempted(String job) {
    JobRecord record = byPath.get(job);
    if (record != null) {
      record.preempted();
    }
  }

  /** The number of jobs that were submitted. */
  int submitted() {
    return jobs.size();
  }

  /** The number of jobs that ended. */
  int ended() {
    return ended;
  }

  /**
   * @param reason why a job that did not end waits
   */
  List<JobResult> results(Function<ApiObject, String> reason) {
    return jobs.values().stream()
        .map(job -> job.result(job.isEnded() ? "" : reason.apply(current(job.object()))))
        .toList();
  }

  private ApiObject current(ApiObject job) {
    return cluster.get(job.key(Kinds.JOB)).orElse(job);
  }

  List<Duration> schedulingLatencies() {
    return latencies;
  }

  ResourceTime waste() {
    return new ResourceTime(waste);
  }
}
