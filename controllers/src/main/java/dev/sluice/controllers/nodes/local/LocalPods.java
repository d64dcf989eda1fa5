package dev.sluice.controllers.nodes.local;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.ContainerProcess.Hook;
import dev.sluice.model.core.pod.ContainerState.Waiting;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The controller of the pods of the local node, as a kubelet: starts their containers, reports
 * their status, and terminates them when they are deleted. The state of containers is kept by
 * {@link Containers} and in the status; this keeps only back-off and probe results.
 *
 * <p>The status of a deleted pod says that it ended before the pod is removed, so that its owner
 * can count it.
 *
 * <p>Threads: reconciled by one thread at a time.
 */
public final class LocalPods implements Controller {
  private static final Duration RETRY = Duration.ofSeconds(5);

  private final Cluster cluster;
  private final String node;
  private final String address;
  private final UnsupportedFields refusal;
  private final Containers containers;
  private final Launches launches;
  private final LiveVolumes volumes;
  private final ProbeQuestions questions;
  private final EventRecorder events;
  private final PodEvents news;
  private final Hooks hooks;

  /** The pods that run here, by uid; also read on the threads that report the end of processes. */
  private final ConcurrentSkipListMap<String, ObjectKey> keys = new ConcurrentSkipListMap<>();

  private volatile Consumer<ObjectKey> wake = _ -> {};
  private final TreeMap<ObjectKey, String> uids = new TreeMap<>();
  private final TreeMap<String, Probes> probes = new TreeMap<>();
  private final TreeMap<String, RestartBackoff> backoffs = new TreeMap<>();

  public LocalPods(Cluster cluster, LocalMachine machine, Containers containers) {
    this.cluster = cluster;
    this.node = machine.name();
    this.address = machine.address();
    this.refusal = new UnsupportedFields(machine);
    this.containers = containers;
    this.launches = new Launches(cluster, address, containers);
    this.questions = new ProbeQuestions(launches, address);
    this.volumes = new LiveVolumes(launches, containers);
    this.events = new EventRecorder(cluster, "kubelet");
    this.news = new PodEvents(events);
    this.hooks = new Hooks(containers, launches, questions, events);
  }

  @Override
  public String name() {
    return "local-pods";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        new Trigger(
            Kinds.POD,
            event -> {
              var pod = new Pod(event.object());
              return pod.nodeName().equals(node) ? List.of(pod.key()) : List.of();
            }),
        new Trigger(Kinds.CONFIG_MAP, event -> usersOf(event.object())),
        new Trigger(Kinds.SECRET, event -> usersOf(event.object())));
  }

  private List<ObjectKey> usersOf(ApiObject object) {
    return keys.values().stream()
        .filter(key ->
            cluster.get(key).filter(pod -> LiveVolumes.uses(new Pod(pod), object)).isPresent())
        .toList();
  }

  /** Also removes what is left of pods that were deleted while this did not run. */
  @Override
  public Subscription listen(Consumer<ObjectKey> wake) {
    List<String> alive =
        cluster.list(Kinds.POD).stream()
            .map(Pod::new)
            .filter(pod -> pod.nodeName().equals(node))
            .map(Pod::uid)
            .toList();
    containers.pods().stream().filter(uid -> !alive.contains(uid)).forEach(containers::forget);
    this.wake = wake;
    return containers.listen(uid -> Optional.ofNullable(keys.get(uid)).ifPresent(wake));
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Optional<Pod> found = cluster.get(key).map(Pod::new).filter(pod -> pod.nodeName().equals(node));
    String uid = found.map(Pod::uid).orElse("");
    String before = uids.getOrDefault(key, uid);
    if (!before.equals(uid)) {
      forget(key, before);
    }
    return found.map(this::live).orElse(Outcome.DONE);
  }

  private void forget(ObjectKey key, String uid) {
    containers.forget(uid);
    uids.remove(key);
    keys.remove(uid);
    probes.remove(uid);
    backoffs.remove(uid);
    volumes.forget(uid);
  }

  private Outcome live(Pod pod) {
    uids.put(pod.key(), pod.uid());
    keys.put(pod.uid(), pod.key());
    if (pod.isTerminal()) {
      return remove(pod);
    }
    Optional<String> why =
        containers.runs(pod.uid()).isEmpty() ? refusal.of(pod) : Optional.empty();
    if (why.isPresent()) {
      Instant now = cluster.time().now();
      write(pod, LocalPodStatus.refused(pod, UnsupportedFields.REASON, why.get(), now));
      events.warning(pod.object(), UnsupportedFields.REASON, why.get());
      return Outcome.DONE;
    }
    return lead(pod);
  }

  private Outcome lead(Pod pod) {
    health(pod)
        .weigh(cluster.time().now())
        .forEach(bad ->
            events.warning(
                pod.object(),
                "Unhealthy",
                bad.purpose().word() + " probe failed: " + bad.message()));
    var missing = new TreeMap<String, Waiting>();
    PodProgress.Plan plan = plan(pod);
    while (apply(pod, plan, missing)) {
      plan = plan(pod);
    }
    volumes.follow(pod, containers.runs(pod.uid()));
    Instant now = cluster.time().now();
    missing.putAll(plan.waiting());
    var reports =
        new ContainerReports(pod.spec(), runs(pod, now), health(pod), missing, plan.over(), now);
    PodStatus status = new LocalPodStatus(pod, reports).status(address);
    if (!status.tree().equals(pod.object().status())) {
      news.publish(pod, status, missing);
      write(pod, status);
    }
    Optional<Instant> next =
        missing.size() > plan.waiting().size() ? Optional.of(now.plus(RETRY)) : plan.next();
    Optional<Instant> nextProbe =
        plan.over()
            ? Optional.empty()
            : health(pod).ask(pod.spec(), runs(pod, now), now, asker(pod));
    return Stream.concat(next.stream(), nextProbe.stream())
        .min(Instant::compareTo)
        .map(moment -> Outcome.again(positive(Duration.between(now, moment))))
        .orElse(Outcome.DONE);
  }

  private Probes.Asker asker(Pod pod) {
    Probes asking = health(pod);
    return (container, id, purpose, probe) -> {
      Consumer<String> answer =
          wrong -> {
            asking.answer(id, purpose, wrong);
            wake.accept(pod.key());
          };
      try {
        containers.check(
            id, purpose.word(), questions.of(pod, container, probe), probe.timeout(), answer);
      } catch (MissingException notThere) {
        answer.accept(notThere.words());
      }
    };
  }

  private static Duration positive(Duration duration) {
    return duration.isNegative() ? Duration.ZERO : duration;
  }

  private PodRuns runs(Pod pod, Instant now) {
    return PodRuns.of(pod, containers.runs(pod.uid()), now);
  }

  private Probes health(Pod pod) {
    return probes.computeIfAbsent(pod.uid(), _ -> new Probes());
  }

  private PodProgress.Plan plan(Pod pod) {
    Instant now = cluster.time().now();
    RestartBackoff backoff = backoffs.computeIfAbsent(pod.uid(), _ -> new RestartBackoff());
    return new PodProgress(pod, runs(pod, now), health(pod), backoff, now).decide();
  }

  /** Performs a plan; returns whether its effects need another plan at once. */
  private boolean apply(Pod pod, PodProgress.Plan plan, SortedMap<String, Waiting> missing) {
    boolean started = false;
    for (PodStep step : plan.steps()) {
      switch (step) {
        case PodStep.Start(Container container, RunId id) -> {
          if (missing.containsKey(container.name())) {
            continue;
          }
          started |= start(pod, container, id, missing);
        }
        case PodStep.RunHook(Container container, RunId id, Hook hook) ->
            started |= hooks.run(pod, container, id, hook);
        case PodStep.ReportFailure(Hook hook, State.Ended end) ->
            hooks.reportFailure(pod, hook, end);
        case PodStep.Terminate(RunId id) -> {
          if (containers.terminate(id)) {
            events.normal(pod.object(), "Killing", "Stopping container " + id.container());
          }
        }
        case PodStep.Kill(RunId id) -> containers.kill(id);
      }
    }
    return started;
  }

  private boolean start(
      Pod pod, Container container, RunId id, SortedMap<String, Waiting> missing) {
    try {
      containers.start(id, launches.of(pod, container));
      events.normal(pod.object(), "Started", "Started container " + container.name());
      return true;
    } catch (MissingException notThere) {
      missing.put(container.name(), notThere.waiting());
      return false;
    }
  }

  private void write(Pod pod, PodStatus status) {
    cluster.patchStatus(Kinds.POD, pod.object(), status.tree());
  }

  private Outcome remove(Pod pod) {
    boolean waitsForUs = pod.isDeleting() && pod.graceSeconds().orElse(0) > 0;
    if (waitsForUs) {
      try {
        cluster.delete(Kinds.POD, pod.object(), Deletion.NOW);
      } catch (ApiException refused) {
        if (!refused.is(ApiFailure.Reason.NOT_FOUND)) {
          throw refused;
        }
      }
    }
    return Outcome.DONE;
  }
}
