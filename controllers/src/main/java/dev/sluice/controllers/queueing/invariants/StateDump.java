package dev.sluice.controllers.queueing.invariants;

import dev.sluice.engine.admission.AdmissionQueues;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.queue.QuotaReservation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How things stand, in words: of each workload what it holds, or its place in a queue; of each
 * queue, cohort and flavor its rules.
 */
record StateDump(SortedMap<String, String> byObject) {
  StateDump {
    byObject = Collections.unmodifiableSortedMap(new TreeMap<>(byObject));
  }

  static StateDump of(AdmissionQueues queues) {
    var standings = new TreeMap<String, String>();
    noteRules(queues.ledger(), standings);
    for (QuotaReservation held : queues.ledger().reservations()) {
      note(standings, held.path(), "as " + held);
    }
    for (QueueSpec queue : queues.ledger().queues()) {
      int place = 0;
      for (PendingWorkload waiting : queues.pendingIn(queue.name())) {
        String standing = "in %s at place %d as %s".formatted(queue.name(), ++place, waiting);
        note(standings, waiting.path(), standing);
      }
    }
    return new StateDump(standings);
  }

  private static void note(SortedMap<String, String> standings, String path, String standing) {
    standings.merge("Workload " + path, standing, (one, other) -> one + " and " + other);
  }

  private static void noteRules(QuotaLedger ledger, SortedMap<String, String> standings) {
    ledger.queues().forEach(one -> standings.put("ClusterQueue " + one.name(), "as " + one));
    ledger.cohorts().forEach(one -> standings.put("Cohort " + one.name(), "as " + one));
    ledger.flavors().forEach(one -> standings.put("ResourceFlavor " + one.name(), "as " + one));
  }

  /** What stands elsewhere by the objects than in memory, which these are. */
  List<String> differencesTo(StateDump objects) {
    var broken = new ArrayList<String>();
    var all = new TreeMap<>(byObject);
    all.putAll(objects.byObject);
    for (String object : all.keySet()) {
      String inMemory = byObject.getOrDefault(object, "nowhere");
      String byObjects = objects.byObject.getOrDefault(object, "nowhere");
      if (!inMemory.equals(byObjects)) {
        broken.add(
            "%s stands in memory %s, by the objects %s".formatted(object, inMemory, byObjects));
      }
    }
    return broken;
  }
}
