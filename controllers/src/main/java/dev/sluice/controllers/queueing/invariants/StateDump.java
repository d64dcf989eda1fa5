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
 * The state of the engine's queues as strings: the quota or the position of each workload, and the
 * spec of each queue, cohort and flavor.
 */
record StateDump(SortedMap<String, String> byObject) {
  StateDump {
    byObject = Collections.unmodifiableSortedMap(new TreeMap<>(byObject));
  }

  static StateDump of(AdmissionQueues queues) {
    var states = new TreeMap<String, String>();
    addRules(queues.ledger(), states);
    for (QuotaReservation held : queues.ledger().reservations()) {
      addState(states, held.path(), "as " + held);
    }
    for (QueueSpec queue : queues.ledger().queues()) {
      int position = 0;
      for (PendingWorkload workload : queues.pendingIn(queue.name())) {
        String state = "in %s at place %d as %s".formatted(queue.name(), ++position, workload);
        addState(states, workload.path(), state);
      }
    }
    return new StateDump(states);
  }

  private static void addState(SortedMap<String, String> states, String path, String state) {
    states.merge("Workload " + path, state, (first, second) -> first + " and " + second);
  }

  private static void addRules(QuotaLedger ledger, SortedMap<String, String> states) {
    ledger.queues().forEach(queue -> states.put("ClusterQueue " + queue.name(), "as " + queue));
    ledger.cohorts().forEach(cohort -> states.put("Cohort " + cohort.name(), "as " + cohort));
    ledger
        .flavors()
        .forEach(flavor -> states.put("ResourceFlavor " + flavor.name(), "as " + flavor));
  }

  /**
   * The differences between this state, which is that of the cache, and the state by the objects.
   */
  List<String> differencesTo(StateDump objects) {
    var differences = new ArrayList<String>();
    var all = new TreeMap<>(byObject);
    all.putAll(objects.byObject);
    for (String object : all.keySet()) {
      String inMemory = byObject.getOrDefault(object, "nowhere");
      String byObjects = objects.byObject.getOrDefault(object, "nowhere");
      if (!inMemory.equals(byObjects)) {
        differences.add(
            "%s stands in memory %s, by the objects %s".formatted(object, inMemory, byObjects));
      }
    }
    return differences;
  }
}
