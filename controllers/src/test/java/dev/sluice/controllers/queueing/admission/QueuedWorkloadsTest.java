package dev.sluice.controllers.queueing.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.admission.pending.QueueLength;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * The workloads that are queued, and the changes after which an inadmissible one is evaluated
 * again: the workload w, in the LocalQueue a of a ClusterQueue with too little quota.
 */
class QueuedWorkloadsTest {
  private static final Duration SETTLE_TIME = Duration.ofSeconds(3);
  private static final ObjectKey W = Kinds.WORKLOAD.key("default", "w");
  private static final ObjectKey LOCAL = Kinds.LOCAL_QUEUE.key("default", "a");

  /** A change of the workload or its queues, and whether it has the effect. */
  record Row(String name, Consumer<QueueWorld> change, boolean want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Row> QUEUED =
      List.of(
          new Row("nothing speaks against it", _ -> {}, true),
          new Row(
              "finished",
              world ->
                  world.status(
                      W, (one, now) -> WorkloadTransitions.finish(one, "Succeeded", "", now)),
              false),
          new Row("inactive", world -> world.spec(W, spec -> spec.with("active", false)), false),
          new Row("on hold", world -> condition(world, "QuotaReserved", false, "OnHold"), false),
          new Row(
              "gated",
              world ->
                  world.change(W, one -> one.withAnnotation(KueueNames.ADMISSION_GATED_BY, "g")),
              false),
          new Row(
              "waiting for replacement pods",
              world -> condition(world, "WaitingForReplacementPods", true, "PodsFailed"),
              false),
          new Row(
              "backing off", world -> condition(world, "Requeued", false, "AdmissionCheck"), true),
          new Row(
              "driven out of a stopped queue",
              world -> condition(world, "Requeued", false, "ClusterQueueStopped"),
              true),
          new Row(
              "back from there", world -> condition(world, "Requeued", true, "Preempted"), true),
          new Row(
              "its time has not come",
              world -> world.status(W, (one, now) -> one.withRequeue(1, now.plusSeconds(60))),
              true),
          new Row("no LocalQueue", world -> world.delete(LOCAL), false),
          new Row(
              "a held LocalQueue",
              world -> world.spec(LOCAL, spec -> spec.with("stopPolicy", "Hold")),
              false),
          new Row(
              "a drained LocalQueue",
              world -> world.spec(LOCAL, spec -> spec.with("stopPolicy", "HoldAndDrain")),
              false));

  @ParameterizedTest
  @FieldSource("QUEUED")
  void workloadIsQueuedOrNot(Row row) {
    VirtualDriver driver = start();

    row.change().accept(world);
    pass(driver);

    assertThat(length().pending()).isEqualTo(row.want() ? 1 : 0);
  }

  static final List<Row> EVALUATED_AGAIN =
      List.of(
          new Row("a label", world -> world.change(W, one -> one.withLabel("a", "b")), false),
          new Row("a finalizer", world -> world.change(W, one -> one.withFinalizer("a/b")), false),
          new Row(
              "a condition of others",
              world -> condition(world, "PodsReady", false, "WaitForStart"),
              false),
          new Row("its priority", world -> world.spec(W, spec -> spec.with("priority", 3)), true),
          new Row(
              "its pods",
              world ->
                  world.spec(
                      W,
                      spec ->
                          spec.with(
                              "podSets",
                              List.of(spec.trees("podSets").getFirst().with("count", 2)))),
              true),
          new Row("reclaimable pods", QueuedWorkloadsTest::reclaim, true),
          new Row(
              "an eviction that changes its queue timestamp",
              world -> condition(world, "Evicted", true, "AdmissionCheck"),
              true));

  private final QueueWorld world = new QueueWorld();
  private final List<String> decisions = new ArrayList<>();

  @ParameterizedTest
  @FieldSource("EVALUATED_AGAIN")
  void workloadIsEvaluatedAgainOrNot(Row row) {
    VirtualDriver driver = start();
    assertThat(length().inadmissible()).isOne();
    decisions.clear();

    row.change().accept(world);
    pass(driver);

    assertThat(decisions).hasSize(row.want() ? 1 : 0);
  }

  private VirtualDriver start() {
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
    world.workload("default", "w", "a", 0, 3);
    VirtualDriver driver =
        world.start(
            (Instant _, AdmissionDecision decision) -> decisions.add(decision.toString()),
            SETTLE_TIME);
    pass(driver);
    return driver;
  }

  private QueueLength length() {
    return world.cache.read(queues -> queues.lengths().of("cq"));
  }

  private void pass(VirtualDriver driver) {
    Worlds.pass(driver, world.cluster, SETTLE_TIME);
  }

  private static void reclaim(QueueWorld world) {
    var ended = new TreeMap<String, Integer>();
    ended.put("main", 1);
    world.status(W, (one, _) -> one.withReclaimablePods(ended));
  }

  private static void condition(QueueWorld world, String type, boolean holds, String reason) {
    world.status(W, (one, now) -> one.with(new Condition(type, holds, reason, ""), now));
  }
}
