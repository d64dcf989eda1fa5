package dev.sluice.controllers.scheduling;

import dev.sluice.engine.scheduling.ClusterState;
import dev.sluice.engine.scheduling.DisruptionBudgets;
import dev.sluice.engine.scheduling.Placement;
import dev.sluice.engine.scheduling.PodFacts;
import dev.sluice.engine.scheduling.QueuedPod;
import dev.sluice.engine.scheduling.Scheduler;
import dev.sluice.engine.scheduling.SchedulingQueue;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.Pod;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
public final class PodScheduler implements Controller {
  /** Names that mean the scheduler of a world that has no other. */
  private static final List<String> USUAL_NAMES = List.of("", "default-scheduler", "sluice");

  private static final ObjectKey ALL = Kinds.POD.key("", "all");
  private static final int MOST_AT_ONCE = 500;

  private final Cluster cluster;
  private final List<String> names;
  private final ClusterState state = new ClusterState();
  private final SchedulingQueue queue = new SchedulingQueue(state);
  private final Scheduler scheduler;
  private final ClusterWatch watch;
  private final DecisionWriter writer;

  /** The scheduler of a world that has no other. */
  public PodScheduler(Cluster cluster) {
    this(cluster, USUAL_NAMES);
  }

  /** A scheduler beside others: for pods that ask for it by its name. */
  public PodScheduler(Cluster cluster, String name) {
    this(cluster, List.of(name));
  }

  private PodScheduler(Cluster cluster, List<String> names) {
    var budgets = new DisruptionBudgets();
    this.cluster = cluster;
    this.names = names;
    this.scheduler = new Scheduler(state, budgets, cluster.random()::nextInt);
    this.watch = new ClusterWatch(cluster, this::asks, state, queue, budgets);
    this.writer = new DecisionWriter(cluster, names.contains("") ? names.get(1) : names.get(0));
  }

  private boolean asks(Pod pod) {
    return pod.isActive()
        && !pod.isBound()
        && !pod.spec().hasSchedulingGates()
        && names.contains(pod.spec().schedulerName());
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
      tries.add(decide(next.get(), now));
      next = tries.size() < MOST_AT_ONCE ? queue.pop(now) : Optional.empty();
    }
    cluster.together(tries.stream().map(one -> (Runnable) one::write).toList());
    tries.forEach(one -> settle(one, now));
    return next(cluster.time().now());
  }

  /** A decision, its write, and whether that was refused. */
  private final class Try {
    private final QueuedPod queued;
    private final Placement placement;
    private boolean refused;

    Try(QueuedPod queued, Placement placement) {
      this.queued = queued;
      this.placement = placement;
    }

    void write() {
      refused = !writer.write(queued.pod(), placement);
    }
  }

  /** Seeks a node for a pod, and goes on as if what was decided were done. */
  private Try decide(QueuedPod queued, Instant now) {
    PodFacts pod = queued.pod();
    Placement placement = scheduler.place(pod);
    switch (placement) {
      case Placement.On(String node) -> {
        PodFacts placed = pod.nominatedTo("");
        state.place(placed, node);
        state.forgetNomination(pod.key());
        queue.placed(queued, now);
        queue.podCame(placed, now);
      }
      case Placement.Nowhere nowhere -> reject(queued, nowhere, pod.nominatedNode(), now);
      case Placement.After(var nowhere, String node, var victims, var displaced) -> {
        victims.forEach(victim -> state.place(victim.leaving(), node));
        displaced.forEach(state::forgetNomination);
        reject(queued, nowhere, node, now);
      }
    }
    return new Try(queued, placement);
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
    if (done.placement instanceof Placement.After after) {
      after.victims().forEach(victim -> watch.changed(victim.key()));
    }
    if (done.refused) {
      state.take(key).ifPresent(node -> queue.roomFreed(node, now));
      queue.remove(key, now);
      queue.failed(done.queued, now);
    }
  }

  private Outcome next(Instant now) {
    if (queue.isReady(now)) {
      return Outcome.again(Duration.ZERO);
    }
    return queue
        .nextWakeUp()
        .map(at -> Outcome.again(at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO))
        .orElse(Outcome.DONE);
  }
}
