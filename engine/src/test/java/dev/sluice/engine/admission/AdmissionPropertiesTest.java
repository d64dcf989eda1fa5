package dev.sluice.engine.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.PodSpec;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Promises that hold for every snapshot. Replay a failure with {@code -Dseed=N}. */
class AdmissionPropertiesTest {
  private static final long QUOTA = 10_000;
  private static final int ROUNDS = 300;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void noQuotaIsExceededAndNoFittingHeadIsLeftWaiting() {
    for (int round = 0; round < ROUNDS; round++) {
      QueueSnapshot snapshot = snapshot();

      List<Decision> decisions = AdmissionCycle.decide(snapshot);

      Usage used = usedAfter(snapshot, decisions);
      long taken = used.get(new FlavorResource("default", "cpu"));
      assertThat(taken).as("seed %d, round %d", seed, round).isLessThanOrEqualTo(QUOTA);
      for (Decision decision : decisions) {
        if (decision instanceof Decision.Wait(PendingWorkload waiting, String _, List<?> _)) {
          long wanted = waiting.podSets().getFirst().total().get("cpu");
          assertThat(wanted).as("seed %d: %s", seed, waiting).isGreaterThan(QUOTA - taken);
        }
      }
    }
  }

  @Test
  void everyWorkloadGetsExactlyOneDecisionWhateverTheOrderItComesIn() {
    for (int round = 0; round < ROUNDS; round++) {
      QueueSnapshot snapshot = snapshot();
      var shuffled = new ArrayList<>(snapshot.pending());
      Collections.shuffle(shuffled, random);

      List<Decision> decisions = AdmissionCycle.decide(snapshot);
      List<Decision> again = AdmissionCycle.decide(withPending(snapshot, shuffled));

      assertThat(decisions).as("seed %d, round %d", seed, round).isEqualTo(again);
      assertThat(decisions.stream().map(Decision::workload))
          .as("seed %d, round %d", seed, round)
          .containsExactlyInAnyOrderElementsOf(snapshot.pending());
    }
  }

  private QueueSnapshot snapshot() {
    var pending = new ArrayList<PendingWorkload>();
    for (int i = 0; i < random.nextInt(12); i++) {
      var podSet =
          new PodSetRequest(
              "main", 1, Amounts.of("cpu", 1 + random.nextInt(6000)), new PodSpec(Tree.EMPTY));
      pending.add(
          new PendingWorkload(
              "team",
              "w" + i,
              "uid-" + i,
              "lq",
              random.nextInt(3),
              Instant.ofEpochSecond(random.nextInt(5)),
              List.of(podSet)));
    }
    var flavors = new TreeMap<>(Collections.singletonMap("default", Queues.flavor("default")));
    var queue = Queues.clusterQueue("cq", "default", "cpu", "10");
    var localQueue =
        new LocalQueue(
            ApiObject.of(Kinds.LOCAL_QUEUE, "team", "lq").withSpec(Tree.of("clusterQueue", "cq")));
    SortedMap<String, SortedMap<String, String>> labels = new TreeMap<>();
    return new QueueSnapshot(
        flavors,
        new TreeMap<>(Collections.singletonMap("cq", queue)),
        new TreeMap<>(Collections.singletonMap("team/lq", localQueue)),
        labels,
        List.of(reservation(random.nextInt(4000))),
        pending);
  }

  private static Admission reservation(long cpu) {
    var flavors = new TreeMap<>(Collections.singletonMap("cpu", "default"));
    return new Admission(
        "cq", List.of(new Admission.Assignment("main", 1, flavors, Amounts.of("cpu", cpu))));
  }

  private static Usage usedAfter(QueueSnapshot snapshot, List<Decision> decisions) {
    var admissions = new ArrayList<>(snapshot.reserved());
    for (Decision decision : decisions) {
      if (decision instanceof Decision.Admit(PendingWorkload _, Admission admission)) {
        admissions.add(admission);
      }
    }
    return Usage.of("cq", admissions);
  }

  private static QueueSnapshot withPending(QueueSnapshot snapshot, List<PendingWorkload> pending) {
    return new QueueSnapshot(
        snapshot.flavors(),
        snapshot.clusterQueues(),
        snapshot.localQueues(),
        snapshot.namespaceLabels(),
        snapshot.reserved(),
        pending);
  }
}
