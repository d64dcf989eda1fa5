package dev.sluice.controllers.scheduling;

import dev.sluice.controllers.Measured;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfiguration;
import dev.sluice.engine.scheduling.DisruptionBudgets;
import dev.sluice.engine.scheduling.Scheduler;
import dev.sluice.engine.scheduling.Schedulers;
import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.framework.Permit;
import dev.sluice.engine.scheduling.framework.Placement;
import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.engine.scheduling.plugins.VolumePermit;
import dev.sluice.engine.scheduling.queue.QueuedPod;
import dev.sluice.engine.scheduling.queue.SchedulingQueue;
import dev.sluice.engine.scheduling.queue.WaitingPods;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The scheduler: binds every pod that names one of its profiles to a node, as kube-scheduler does.
 * A condition and an event of a pod that fits no node say why, and the pod waits until an event may
 * help it; it preempts pods of lower priority if that makes room.
 *
 * <p>Decisions are taken one after the other, each on top of those before it, and written in
 * batches. A decision that could not be written is taken back, and the pod is tried again later.
 *
 * <p>Threads: reconciled by one thread at a time, since there is one key.
 */
public final class PodScheduler implements Controller, Measured {
  private static final ObjectKey ALL = Kinds.POD.key("", "all");
  private static final int MAX_AT_ONCE = 500;

  private final Cluster cluster;
  private final ClusterState state = new ClusterState();
  private final Schedulers schedulers;
  private final SchedulingQueue queue;
  private final WaitingPods held;
  private final AssumedPods assumptions;
  private final ClusterEventHandlers watch;

  /** In the order of the schedulers. */
  private final List<BindingWriter> writers;

  private final SchedulerMetrics metrics;

  /** The default scheduler of a cluster that has no other. */
  public PodScheduler(Cluster cluster) {
    this(cluster, SchedulerConfiguration.DEFAULT);
  }

  /** A second scheduler, for the pods that name it. */
  public PodScheduler(Cluster cluster, String name) {
    this(cluster, SchedulerConfiguration.named(name));
  }

  /** A scheduler with the profiles of a configuration file. */
  public PodScheduler(Cluster cluster, SchedulerConfiguration configuration) {
    this(cluster, configuration, List.of());
  }

  /** The same with additional permit plugins. */
  PodScheduler(Cluster cluster, SchedulerConfiguration configuration, List<Permit> permits) {
    List<Profile> profiles = configuration.profiles();
    var budgets = new DisruptionBudgets();
    this.cluster = cluster;
    this.schedulers = new Schedulers(state, budgets, cluster.random()::nextInt, profiles);
    this.queue = new SchedulingQueue(state, schedulers, configuration.backoff());
    // Writes for volumes cannot be taken back: that plugin comes after all others agreed.
    this.held =
        new WaitingPods(
            Stream.concat(permits.stream(), Stream.of(new VolumePermit(state))).toList());
    this.assumptions = new AssumedPods(state, queue, held);
    this.metrics = new SchedulerMetrics(profiles, cluster.time()::now);
    this.watch =
        new ClusterEventHandlers(
            cluster, this::isOurs, state, queue, held, budgets, metrics.steps());
    this.writers =
        profiles.stream()
            .map(profile -> new BindingWriter(cluster, profile.name(), metrics))
            .toList();
  }

  private boolean isOurs(Pod pod) {
    return pod.isActive() && !pod.isBound() && schedulers.know(pod.spec().schedulerName());
  }

  /** Under kube-scheduler's names. */
  @Override
  public MetricSnapshots measurements() {
    return metrics.measurements();
  }

  @Override
  public String name() {
    return "scheduler";
  }

  @Override
  public List<Trigger> triggers() {
    return watch.triggers(ALL);
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Instant now = cluster.time().now();
    watch.catchUp(now);
    queue.flush(now);
    var tries = new ArrayList<Try>();
    Optional<QueuedPod> next = queue.pop(now);
    while (next.isPresent()) {
      decide(next.get(), tries, now);
      next = tries.size() < MAX_AT_ONCE ? queue.pop(now) : Optional.empty();
    }
    review(tries, now);
    cluster.together(tries.stream().map(attempt -> (Runnable) attempt::write).toList());
    tries.forEach(attempt -> settle(attempt, now));
    metrics.stands(SchedulerGauges.of(state, queue, held, watch.gated()));
    return next(cluster.time().now());
  }

  /** A decision, its write, and whether the write was refused. */
  private final class Try {
    private final QueuedPod queued;
    private final PodDecision decision;
    private final BindingWriter writer;
    private final Instant began;
    private boolean refused;

    Try(AssumedPods.Step step, Instant began) {
      this.queued = step.queued();
      this.decision = step.decision();
      this.writer = writers.get(schedulers.number(queued.pod()));
      this.began = began;
    }

    void write() {
      refused = !writer.write(queued.pod(), decision);
      metrics.attempted(writer.profile(), queued, decision, refused, began, cluster.time().now());
    }
  }

  /** Schedules one pod. */
  private void decide(QueuedPod queued, List<Try> tries, Instant now) {
    Instant began = cluster.time().now();
    Scheduler scheduler = schedulers.get(schedulers.number(queued.pod()));
    Placement found =
        scheduler.place(queued.pod(), metrics.steps().look(scheduler.profile().name()));
    metrics.looked(Duration.between(began, cluster.time().now()));
    for (AssumedPods.Step step : assumptions.follow(queued, found, now)) {
      tries.add(new Try(step, began));
    }
  }

  /** Reviews the pods that wait for a permit. */
  private void review(List<Try> tries, Instant now) {
    List<WaitingPods.Review> reviews = held.review(now);
    if (reviews.isEmpty()) {
      return;
    }
    // A reservation that is decided in this same pass needs one write, not two.
    var decided = new TreeSet<ObjectKey>();
    reviews.forEach(review -> decided.add(review.held().key()));
    tries.removeIf(attempt ->
        attempt.decision instanceof PodDecision.Reserve && decided.contains(attempt.queued.key()));
    for (WaitingPods.Review review : reviews) {
      if (!(review.outcome() instanceof WaitingPods.Hold)) {
        metrics.permitted(review.held().waited(now), review.outcome() instanceof WaitingPods.Go);
      }
    }
    Instant began = cluster.time().now();
    assumptions.follow(reviews, now).forEach(step -> tries.add(new Try(step, began)));
  }

  private void settle(Try done, Instant now) {
    // The next decisions start from the objects, whether or not their events have arrived.
    watch.assumptionEnded(done.queued.key());
    switch (done.decision) {
      case PodDecision.Preempt displace ->
          displace.victims().forEach(victim -> watch.assumptionEnded(victim.key()));
      case PodDecision.Reserve reserve ->
          reserve.volumes().steps().forEach(step -> watch.assumptionEnded(step.claim()));
      case PodDecision.Bind _, PodDecision.MarkUnschedulable _ -> {}
    }
    if (done.refused) {
      assumptions.refused(done.queued, done.decision, now);
    } else {
      assumptions.written(done.queued, done.decision);
    }
  }

  private Outcome next(Instant now) {
    if (queue.isReady(now)) {
      return Outcome.again(Duration.ZERO);
    }
    return Stream.of(queue.nextWakeUp(), held.nextDeadline())
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder())
        .map(at -> Outcome.again(at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO))
        .orElse(Outcome.DONE);
  }
}
