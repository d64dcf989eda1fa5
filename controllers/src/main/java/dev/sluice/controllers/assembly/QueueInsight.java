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
 * Controllers, and what can be asked about the queues while they run: who waits where and why, and
 * what was measured.
 *
 * <p>Threads: safe.
 */
public final class QueueInsight {
  private final Cluster cluster;
  private final Loaded loaded;
  private final QueueCache book;
  private final QueueMetrics metrics;
  private final List<Measured> measured = new CopyOnWriteArrayList<>();
  private volatile boolean queues;

  /**
   * @param role of this replica: {@code leader}, {@code follower} or {@code standalone}
   * @param version of this program
   */
  public QueueInsight(Cluster cluster, Loaded loaded, Supplier<String> role, String version) {
    this.cluster = cluster;
    this.loaded = loaded;
    this.book = new QueueCache(cluster, loaded.configuration());
    this.metrics =
        new QueueMetrics(
            cluster, book, loaded.configuration(), loaded.manager().metrics(), role, version);
  }

  /**
   * The controllers to run, which feed it.
   *
   * @param scheduling how pods are scheduled, if the scheduler is among them
   */
  public List<Controller> controllers(
      Set<Group> groups, SchedulerConfiguration scheduling, DecisionLog log) {
    var controllers =
        new ArrayList<>(
            ControllerSet.of(
                groups, cluster, book, metrics.and(log), loaded.configuration(), scheduling));
    if (groups.contains(Group.QUEUEING)) {
      queues = true;
      controllers.add(metrics.controller());
    }
    controllers.stream()
        .filter(Measured.class::isInstance)
        .map(Measured.class::cast)
        .forEach(measured::add);
    return controllers;
  }

  /** What to run in their place where somebody else decides; it only feeds what can be asked. */
  public List<Controller> followers() {
    queues = true;
    return List.of(new QueueFollower(book));
  }

  /** What is served about the queues. */
  public List<ComputedApi> apis() {
    return loaded.configuration().has(Gate.VISIBILITY_ON_DEMAND)
        ? List.of(new VisibilityApi(cluster, book))
        : List.of();
  }

  /** What was measured, in Prometheus' text format; of queues only where they are looked at. */
  public String metrics() {
    return (queues ? metrics.text() : "")
        + measured.stream()
            .map(one -> PrometheusText.of(one.measurements()))
            .collect(Collectors.joining());
  }
}
