package dev.sluice.controllers.scheduling;

import dev.sluice.controllers.Measured;
import dev.sluice.controllers.configuration.SchedulerConfiguration;
import dev.sluice.engine.scheduling.ClusterState;
import dev.sluice.engine.scheduling.DisruptionBudgets;
import dev.sluice.engine.scheduling.HeldPods;
import dev.sluice.engine.scheduling.Permit;
import dev.sluice.engine.scheduling.Placement;
import dev.sluice.engine.scheduling.Plugin;
import dev.sluice.engine.scheduling.PodFacts;
import dev.sluice.engine.scheduling.Profile;
import dev.sluice.engine.scheduling.QueuedPod;
import dev.sluice.engine.scheduling.Scheduler;
import dev.sluice.engine.scheduling.Schedulers;
import dev.sluice.engine.scheduling.SchedulingQueue;
import dev.sluice.engine.scheduling.VolumePermit;
import dev.sluice.engine.scheduling.VolumePlan;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.Pod;
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
 * Binds every pod that asks for this scheduler to a node, as Kubernetes' default scheduler does. A
 * pod for which there is no room is told why, and waits until something happens that may help it;
 * if it is more important than others, they are asked to leave.
 *
 * <p>Decisions are taken one after the other, each on top of those before it, and written in
 * batches. What could not be written is taken back, and tried again later.
 *
 * <p>Threads: reconciled by one thread at a time, since there is one key.
 */
public final class PodScheduler implements Controller, Measured {
  private static final ObjectKey ALL = Kinds.POD.key("", "all");
  private static final int MOST_AT_ONCE = 500;

  private final Cluster cluster;
  private final ClusterState state = new ClusterState();
  private final Schedulers schedulers;
  private final SchedulingQueue queue;
  private final HeldPods held;
  private final ClusterWatch watch;

  /** In the order of the schedulers. */
  private final List<DecisionWriter> writers;

  private final SchedulerMetrics metrics;

  /** The scheduler of a world that has no other. */
  public PodScheduler(Cluster cluster) {
    this(cluster, SchedulerConfiguration.DEFAULT);
  }

  /** A scheduler beside others: for pods that ask for it by its name. */
  public PodScheduler(Cluster cluster, String name) {
    this(cluster, SchedulerConfiguration.named(name));
  }

  /** A scheduler as an administrator wants it: for pods that ask for one of its profiles. */
  public PodScheduler(Cluster cluster, SchedulerConfiguration configuration) {
    this(cluster, configuration, List.of());
  }

  /** The same with more that has a say before a pod is bound. */
  PodScheduler(Cluster cluster, SchedulerConfiguration configuration, List<Permit> permits) {
    List<Profile> profiles = configuration.profiles();
    var budgets = new DisruptionBudgets();
    this.cluster = cluster;
    this.schedulers = new Schedulers(state, budgets, cluster.random()::nextInt, profiles);
    this.queue = new SchedulingQueue(state, schedulers, configuration.backoff());
    // What is written for volumes cannot be taken back: it comes after everybody else agreed.
    this.held =
        new HeldPods(Stream.concat(permits.stream(), Stream.of(new VolumePermit(state))).toList());
    this.metrics = new SchedulerMetrics(profiles, cluster.time()::now);
    this.watch =
        new ClusterWatch(cluster, this::isOurs, state, queue, held, budgets, metrics.steps());
    this.writers =
        profiles.stream()
            .map(profile -> new DecisionWriter(cluster, profile.name(), metrics))
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
      tries.add(decide(next.get(), tries, now));
      next = tries.size() < MOST_AT_ONCE ? queue.pop(now) : Optional.empty();
    }
    review(tries, now);
    cluster.together(tries.stream().map(one -> (Runnable) one::write).toList());
    tries.forEach(one -> settle(one, now));
    metrics.stands(Standing.of(state, queue, held, watch.gated()));
    return next(cluster.time().now());
  }

  /** A decision, its write, and whether that was refused. */
  private final class Try {
    private final QueuedPod queued;
    private final Decision decision;
    private final DecisionWriter writer;
    private final Instant began = cluster.time().now();
    private boolean refused;

    Try(QueuedPod queued, Decision decision) {
      this.queued = queued;
      this.decision = decision;
      this.writer = writers.get(schedulers.number(queued.pod()));
    }

    void write() {
      refused = !writer.write(queued.pod(), decision);
      metrics.attempted(writer.profile(), queued, decision, refused, began, cluster.time().now());
    }
  }

  /** Seeks a node for a pod, and goes on as if what was decided were done. */
  private Try decide(QueuedPod queued, List<Try> tries, Instant now) {
    PodFacts pod = queued.pod();
    Instant began = cluster.time().now();
    Scheduler scheduler = schedulers.get(schedulers.number(pod));
    Placement placement = scheduler.place(pod, metrics.steps().look(scheduler.profile().name()));
    metrics.looked(Duration.between(began, cluster.time().now()));
    return switch (placement) {
      case Placement.On(String node) -> reserve(queued, node, now);
      case Placement.Nowhere nowhere -> {
        reject(queued, nowhere, pod.nominatedNode(), now);
        yield new Try(queued, new Decision.Tell(nowhere, pod.nominatedNode()));
      }
      case Placement.After(var nowhere, String node, var victims, var displaced) -> {
        List<Try> told =
            victims.stream().flatMap(victim -> makeLeave(victim, node, now).stream()).toList();
        tries.addAll(told);
        displaced.forEach(state::forgetNomination);
        reject(queued, nowhere, node, now);
        if (told.size() == victims.size()) {
          queue.roomFreed(node, now);
        }
        yield new Try(queued, new Decision.Displace(nowhere, node, victims, displaced));
      }
    };
  }

  /** Takes the room on a node, and asks whether the pod may be bound there at once. */
  private Try reserve(QueuedPod queued, String node, Instant now) {
    PodFacts placed = queued.pod().nominatedTo("");
    state.volumes().promise(placed.key(), state.volumes().plan(placed, node, state));
    HeldPods.Outcome outcome = held.ask(queued.with(placed), node, now);
    if (outcome instanceof HeldPods.Refused(var nowhere)) {
      reject(queued, nowhere, "", now);
      return new Try(queued, new Decision.Tell(nowhere, ""));
    }
    state.place(placed, node);
    state.forgetNomination(placed.key());
    queue.placed(queued, now);
    queue.podCame(placed, now);
    return new Try(queued, decision(placed, node, outcome));
  }

  private Decision decision(PodFacts pod, String node, HeldPods.Outcome outcome) {
    return switch (outcome) {
      case HeldPods.Go _ -> new Decision.Bind(node);
      case HeldPods.Hold(var waits) ->
          new Decision.Reserve(
              node,
              waits.by().equals(Plugin.VOLUME_BINDING)
                  ? state.volumes().promised(pod.key())
                  : VolumePlan.NONE);
      case HeldPods.Refused(var nowhere) -> new Decision.Tell(nowhere, "");
    };
  }

  /** Goes on with those who waited for a permission that came, or will not come. */
  private void review(List<Try> tries, Instant now) {
    List<HeldPods.Review> reviews = held.review(now);
    // Whoever was let wait a moment ago and goes on now needs one write, not two.
    var decided = new TreeSet<ObjectKey>();
    reviews.forEach(review -> decided.add(review.held().key()));
    tries.removeIf(
        one -> one.decision instanceof Decision.Reserve && decided.contains(one.queued.key()));
    // First all give up their room: those who are refused together must not wake each other.
    for (HeldPods.Review review : reviews) {
      if (review.outcome() instanceof HeldPods.Refused) {
        state.take(review.held().key()).ifPresent(node -> queue.roomFreed(node, now));
      }
    }
    for (HeldPods.Review review : reviews) {
      QueuedPod queued = review.held().queued();
      if (!(review.outcome() instanceof HeldPods.Hold)) {
        metrics.permitted(review.held().waited(now), review.outcome() instanceof HeldPods.Go);
      }
      if (review.outcome() instanceof HeldPods.Refused(var nowhere)) {
        reject(queued, nowhere, "", now);
      }
      tries.add(new Try(queued, decision(queued.pod(), review.held().node(), review.outcome())));
    }
  }

  /**
   * A victim that is bound is asked to leave. One that is not yet just loses its room; then this
   * returns what it is told.
   */
  private Optional<Try> makeLeave(PodFacts victim, String node, Instant now) {
    Optional<HeldPods.Held> waiting = held.drop(victim.key());
    if (waiting.isEmpty()) {
      state.place(victim.leaving(), node);
      return Optional.empty();
    }
    state.take(victim.key());
    Placement.Nowhere why = waiting.get().refusedBecause("preempted");
    reject(waiting.get().queued(), why, "", now);
    return Optional.of(new Try(waiting.get().queued(), new Decision.Tell(why, "")));
  }

  private void reject(QueuedPod queued, Placement.Nowhere nowhere, String node, Instant now) {
    PodFacts pod = queued.pod().nominatedTo(nowhere.keepsNomination() ? node : "");
    Optional<String> freed =
        pod.nominatedNode().isEmpty() ? state.forgetNomination(pod.key()) : Optional.empty();
    state.nominate(pod);
    queue.rejected(queued.with(pod), nowhere.plugins(), now);
    freed.ifPresent(room -> queue.roomFreed(room, now));
  }

  private void settle(Try done, Instant now) {
    ObjectKey key = done.queued.key();
    // The next decisions must see this one, whether or not the watch has told of it.
    watch.changed(key);
    switch (done.decision) {
      case Decision.Displace displace ->
          displace.victims().forEach(victim -> watch.changed(victim.key()));
      case Decision.Reserve reserve -> {
        reserve.volumes().steps().forEach(step -> watch.changed(step.claim()));
        if (!done.refused && !reserve.volumes().isEmpty()) {
          state.volumes().written(key);
        }
      }
      case Decision.Bind bind -> {
        if (done.refused) {
          held.lost(done.queued.pod(), bind.node());
        } else {
          state.volumes().forget(key);
        }
      }
      case Decision.Tell _ -> {}
    }
    if (done.refused) {
      held.drop(key);
      state.take(key).ifPresent(node -> queue.roomFreed(node, now));
      queue.remove(key, now);
      queue.failed(done.queued, now);
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
