package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Containers.Run;
import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Containers.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** What is known of the runs of one pod. Threads: safe; guarded by one lock. */
final class PodRecord {
  private static final Comparator<RunId> ORDER =
      Comparator.comparing(RunId::container).thenComparingInt(RunId::attempt);

  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<RunId, State> states = new TreeMap<>(ORDER);
  private final TreeMap<RunId, ProcessRun> processes = new TreeMap<>(ORDER);
  private boolean forgotten;

  private <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  boolean knows(RunId id) {
    return locked(() -> states.containsKey(id));
  }

  void started(RunId id, State.Running state, ProcessRun process) {
    locked(() -> {
      processes.put(id, process);
      return states.put(id, state);
    });
  }

  /** A run that needs no process of its own has begun; returns whether it was not known yet. */
  boolean began(RunId id, State.Running state) {
    return locked(() -> states.putIfAbsent(id, state) == null);
  }

  void ended(RunId id, State.Ended state) {
    locked(() -> {
      processes.remove(id);
      return states.put(id, state);
    });
  }

  /** Forgets the runs of a container that were before the one before this one. */
  List<RunId> dropOlderThan(RunId id) {
    return locked(() -> {
      List<RunId> old =
          states.keySet().stream()
              .filter(known -> known.container().equals(id.container()))
              .filter(known -> known.attempt() < id.attempt() - 1)
              .toList();
      old.forEach(states::remove);
      return old;
    });
  }

  List<Run> runs() {
    return locked(() -> {
      var runs = new ArrayList<Run>();
      states.forEach((id, state) -> runs.add(new Run(id, state)));
      return List.copyOf(runs);
    });
  }

  /** The latest run of a container, or the one before it. */
  Optional<RunId> run(String container, boolean previous) {
    return locked(() -> {
      List<RunId> ids =
          states.keySet().stream().filter(id -> id.container().equals(container)).toList();
      int index = ids.size() - (previous ? 2 : 1);
      return index < 0 ? Optional.<RunId>empty() : Optional.of(ids.get(index));
    });
  }

  Optional<ProcessRun> process(RunId id) {
    return locked(() -> Optional.ofNullable(processes.get(id)));
  }

  List<ProcessRun> processes() {
    return locked(() -> List.copyOf(processes.values()));
  }

  void forget() {
    locked(() -> forgotten = true);
  }

  /** Whether the record is no longer wanted, and nothing of the pod runs. */
  boolean mayGo() {
    return locked(() -> forgotten && processes.isEmpty());
  }
}
