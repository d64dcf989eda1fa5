package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.queueing.WorkloadNames;
import dev.sluice.controllers.queueing.integration.JobIntegration.Finish;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** A job that is a single object, of any kind with an integration. */
public record SingleJob(
    Cluster cluster, Configuration configuration, JobIntegration integration, ApiObject object)
    implements QueuedJob {

  @Override
  public ResourceKind kind() {
    return integration.kind();
  }

  @Override
  public List<ApiObject> members() {
    return List.of(object);
  }

  @Override
  public String workloadName() {
    String extra = elastic() ? Long.toString(object.generation()) : "";
    return WorkloadNames.of(
        integration.kind(), object, extra, configuration.has(Gate.SHORT_WORKLOAD_NAMES));
  }

  @Override
  public boolean group() {
    return false;
  }

  @Override
  public boolean held() {
    return integration.suspended(object);
  }

  @Override
  public boolean running() {
    return !integration.suspended(object);
  }

  @Override
  public boolean active() {
    return integration.active(object);
  }

  /** The controller of its pods reports when they have ended. */
  @Override
  public Optional<Duration> inactiveAfter() {
    return Optional.empty();
  }

  @Override
  public List<PodSet> podSets() {
    List<PodSet> podSets = integration.podSets(object);
    return configuration.has(Gate.PARTIAL_ADMISSION)
        ? podSets
        : podSets.stream().map(PodSet::withoutMinCount).toList();
  }

  @Override
  public Optional<Finish> finish() {
    return integration.finish(object);
  }

  @Override
  public boolean podsReady() {
    return integration.podsReady(object);
  }

  @Override
  public SortedMap<String, Integer> reclaimablePods() {
    return integration.reclaimablePods(object);
  }

  @Override
  public String priorityClass() {
    return integration.priorityClass(object);
  }

  @Override
  public SortedMap<String, String> labels() {
    return integration.labels(object);
  }

  @Override
  public SortedMap<String, String> annotations() {
    return object.annotations();
  }

  @Override
  public boolean elastic() {
    return configuration.has(Gate.ELASTIC_JOBS) && integration.elastic(object);
  }

  @Override
  public boolean matches(Workload workload) {
    return new WorkloadEquivalence(cluster, configuration).holds(this, workload);
  }

  @Override
  public WorkloadStatus report(WorkloadStatus status, Instant now) {
    return status;
  }

  @Override
  public List<ApiObject> start(PodSetInfo changes) {
    ApiObject changed = integration.withPodSets(object, changes.on(podSets()));
    cluster.update(integration.kind(), integration.withSuspended(changed, false));
    return members();
  }

  @Override
  public StopProgress stop(Stop stop) {
    return integration.stop(cluster, object, stop);
  }

  @Override
  public boolean suspend() {
    ApiObject suspended = integration.withSuspended(object, true);
    if (suspended.equals(object)) {
      return false;
    }
    cluster.update(integration.kind(), suspended);
    return true;
  }

  @Override
  public void removeFinalizers() {
    integration.removeFinalizers(cluster, object);
  }
}
