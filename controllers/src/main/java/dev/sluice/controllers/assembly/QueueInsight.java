package dev.sluice.controllers.assembly;

import dev.sluice.controllers.Measured;
import dev.sluice.controllers.PrometheusText;
import dev.sluice.controllers.assembly.ControllerSet.Group;
import dev.sluice.controllers.configuration.ConfigurationFile.Loaded;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfiguration;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.admission.QueueCache;
import dev.sluice.controllers.queueing.admission.QueueFollower;
import dev.sluice.controllers.queueing.metrics.QueueMetrics;
import dev.sluice.controllers.queueing.visibility.VisibilityApi;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.ComputedApi;
import dev.sluice.runtime.Controller;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The controllers with everything that can be read about the queues while they run: the visibility
 * API and the metrics.
 *
 * <p>Threads: safe.
 */
public final class QueueInsight {
  private final Cluster cluster;
  private final Loaded loaded;
  private final QueueCache cache;
  private final QueueMetrics metrics;
  private final List<Measured> measured = new CopyOnWriteArrayList<>();
  private volatile boolean followsQueues;

  /**
   * @param role of this replica: {@code leader}, {@code follower} or {@code standalone}
   * @param version of this program
   */
  public QueueInsight(Cluster cluster, Loaded loaded, Supplier<String> role, String version) {
    this.cluster = cluster;
    this.loaded = loaded;
    this.cache = new QueueCache(cluster, loaded.configuration());
    this.metrics =
        new QueueMetrics(
            cluster, cache, loaded.configuration(), loaded.manager().metrics(), role, version);
  }

  /**
   * * The controllers to run; they keep the queues and metrics up to date.
   *
   * @param scheduling the configuration of the scheduler, if it is among them
   */
  public List<Controller> controllers(
      Set<Group> groups, SchedulerConfiguration scheduling, DecisionLog log) {
    var controllers =
        new ArrayList<>(
            ControllerSet.of(
                groups, cluster, cache, metrics.and(log), loaded.configuration(), scheduling));
    if (groups.contains(Group.QUEUEING)) {
      followsQueues = true;
      controllers.add(metrics.controller());
    }
    controllers.stream()
        .filter(Measured.class::isInstance)
        .map(Measured.class::cast)
        .forEach(measured::add);
    return controllers;
  }

  /**
   * The controllers of a replica that is not the leader: they keep the queues up to date, and write
   * nothing.
   */
  public List<Controller> followers() {
    followsQueues = true;
    return List.of(new QueueFollower(cache));
  }

  /** The visibility API, if it is enabled. */
  public List<ComputedApi> apis() {
    return loaded.configuration().has(Gate.VISIBILITY_ON_DEMAND)
        ? List.of(new VisibilityApi(cluster, cache))
        : List.of();
  }

  /**
   * All metrics in Prometheus' text format; those of queues only if this replica follows the
   * queues.
   */
  public String metrics() {
    return (followsQueues ? metrics.text() : "")
        + measured.stream()
            .map(controller -> PrometheusText.of(controller.measurements()))
            .collect(Collectors.joining());
  }
}
