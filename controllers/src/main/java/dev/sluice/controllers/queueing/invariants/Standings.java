package dev.sluice.controllers.queueing.invariants;

import dev.sluice.engine.admission.AdmissionQueues;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.Reservation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Where each workload stands, in words: what it holds, or its place in a queue. */
record Standings(SortedMap<String, String> byPath) {
  Standings {
    byPath = Collections.unmodifiableSortedMap(new TreeMap<>(byPath));
  }

  static Standings of(AdmissionQueues queues) {
    var standings = new TreeMap<String, String>();
    for (Reservation held : queues.ledger().reservations()) {
      standings.merge(held.path(), "as " + held, (one, other) -> one + " and " + other);
    }
    for (QueueSpec queue : queues.ledger().queues()) {
      int place = 0;
      for (PendingWorkload waiting : queues.inOrder(queue.name())) {
        String standing = "in %s at place %d as %s".formatted(queue.name(), ++place, waiting);
        standings.merge(waiting.path(), standing, (one, other) -> one + " and " + other);
      }
    }
    return new Standings(standings);
  }

  /** Who stands elsewhere by the objects than in memory, which these are. */
  List<String> differencesTo(Standings objects) {
    var broken = new ArrayList<String>();
    var all = new TreeMap<>(byPath);
    all.putAll(objects.byPath);
    for (String path : all.keySet()) {
      String inMemory = byPath.getOrDefault(path, "nowhere");
      String byObjects = objects.byPath.getOrDefault(path, "nowhere");
      if (!inMemory.equals(byObjects)) {
        broken.add(
            "Workload %s stands in memory %s, by the objects %s"
                .formatted(path, inMemory, byObjects));
      }
    }
    return broken;
  }
}
