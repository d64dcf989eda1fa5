package dev.sluice.controllers.nodes.local;

import dev.sluice.runtime.Subscription;
import dev.sluice.testkit.FakeCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Containers whose lives follow a script, in virtual time. What is done to them is written down.
 */
final class FakeContainers implements Containers {

  /**
   * How one run of a container goes.
   *
   * @param heedful whether it ends when it is asked to
   */
  record Life(Duration length, int exitCode, boolean heedful) {
    static final Duration ENDLESS = Duration.ofDays(1000);

    static Life ends(int seconds, int exitCode) {
      return new Life(Duration.ofSeconds(seconds), exitCode, true);
    }

    static Life endless() {
      return new Life(ENDLESS, 0, true);
    }

    static Life stubborn() {
      return new Life(ENDLESS, 0, false);
    }
  }

  private final FakeCluster cluster;
  private final Map<String, Deque<Life>> script = new TreeMap<>();
  private final Map<RunId, State> states =
      new TreeMap<>(
          Comparator.comparing(RunId::pod)
              .thenComparing(RunId::container)
              .thenComparingInt(RunId::attempt));
  private final Map<String, Life> lives = new TreeMap<>();
  private final Set<String> terminated = new TreeSet<>();
  private final List<Consumer<String>> listeners = new ArrayList<>();
  final List<String> done = new ArrayList<>();
  private final Map<String, Launch> launches = new TreeMap<>();
  final List<Check> asked = new ArrayList<>();
  String wrong = "";
  String lastWords = "";

  /** Why runs end that do not end well. */
  String reason = "Error";

  SortedMap<String, Launch.Content.Files> refreshed = new TreeMap<>();

  /** What files of volumes say, by the names of their volumes and their paths. */
  final SortedMap<String, String> files = new TreeMap<>();

  FakeContainers(FakeCluster cluster) {
    this.cluster = cluster;
  }

  /** Says how the runs of a container go; the last one goes for all that follow. */
  void play(String container, Life... lives) {
    script.put(container, new ArrayDeque<>(List.of(lives)));
  }

  /** What was started last as a container. */
  Launch launch(String container) {
    return Optional.ofNullable(launches.get(container)).orElseThrow();
  }

  /** Forgets a pod as if the machine had lost it. */
  void lose(String pod) {
    states.keySet().removeIf(id -> id.pod().equals(pod));
  }

  @Override
  public void start(RunId id, Launch launch) {
    if (!states.containsKey(id)) {
      launches.put(id.container(), launch);
      begin(id, "start");
    }
  }

  @Override
  public void call(RunId id, Check.Http page, Duration timeout) {
    if (!states.containsKey(id)) {
      begin(id, "call " + page.url() + " for");
    }
  }

  private void begin(RunId id, String what) {
    Deque<Life> rest =
        script.getOrDefault(id.container(), new ArrayDeque<>(List.of(Life.endless())));
    Life life = rest.size() > 1 ? rest.removeFirst() : rest.getFirst();
    note(what, id);
    states.put(id, new State.Running(cluster.time().now()));
    lives.put(id.toString(), life);
    cluster.time().after(life.length(), () -> end(id, life.exitCode()));
  }

  private void note(String what, RunId id) {
    Duration since = Duration.between(FakeCluster.START, cluster.time().now());
    done.add("%ds %s %s#%d".formatted(since.toSeconds(), what, id.container(), id.attempt()));
  }

  private void end(RunId id, int exitCode) {
    if (states.get(id) instanceof State.Running(Instant started)) {
      String reason = exitCode == 0 ? "Completed" : this.reason;
      states.put(id, new State.Ended(exitCode, reason, lastWords, started, cluster.time().now()));
      listeners.forEach(listener -> listener.accept(id.pod()));
    }
  }

  @Override
  public List<Run> runs(String pod) {
    return states.entrySet().stream()
        .filter(entry -> entry.getKey().pod().equals(pod))
        .map(entry -> new Run(entry.getKey(), entry.getValue()))
        .toList();
  }

  @Override
  public void refresh(String pod, SortedMap<String, Launch.Content.Files> volumes) {
    refreshed = volumes;
  }

  @Override
  public Optional<String> read(String pod, String volume, String path) {
    return Optional.ofNullable(files.get(volume + "/" + path));
  }

  private boolean heeds(RunId id) {
    return Optional.ofNullable(lives.get(id.toString())).map(Life::heedful).orElse(false);
  }

  @Override
  public boolean terminate(RunId id) {
    boolean first = states.get(id) instanceof State.Running && terminated.add(id.toString());
    if (first && heeds(id)) {
      note("terminate", id);
      end(id, 143);
    }
    return first;
  }

  @Override
  public void kill(RunId id) {
    note("kill", id);
    end(id, 137);
  }

  @Override
  public void check(RunId id, String name, Check check, Duration timeout, Consumer<String> answer) {
    asked.add(check);
    answer.accept(wrong);
  }

  @Override
  public void forget(String pod) {
    done.add("forget");
    lose(pod);
  }

  @Override
  public List<String> pods() {
    return states.keySet().stream().map(RunId::pod).distinct().toList();
  }

  @Override
  public Subscription listen(Consumer<String> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }
}
