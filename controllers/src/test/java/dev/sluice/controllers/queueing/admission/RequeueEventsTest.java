package dev.sluice.controllers.queueing.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * The events that requeue an inadmissible workload: every one of the table in
 * docs/specification/queueing.md#requeue-events.
 *
 * <p>Two pods with a cpu each hold all of the ClusterQueue cq, in the cohort all; the workload
 * {@code waits} requests one cpu in the ClusterQueue poor, which has no quota of its own.
 */
class RequeueEventsTest {
  private static final Duration SETTLE_TIME = Duration.ofSeconds(3);
  private static final ObjectKey HOLDER = Kinds.WORKLOAD.key("default", "holder");
  private static final ObjectKey PENDING = Kinds.WORKLOAD.key("other", "waits");
  private static final ObjectKey POOR = Kinds.CLUSTER_QUEUE.key("poor");
  private static final ObjectKey LOCAL = Kinds.LOCAL_QUEUE.key("other", "b");
  private static final String ONE_CPU =
      "resourceGroups: [{coveredResources: [cpu], flavors: [{name: plain, resources: [{name: cpu,"
          + " nominalQuota: 1}]}]}]";

  /** The situation before, and the event. */
  record Row(String name, Consumer<QueueWorld> before, Consumer<QueueWorld> then) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Row> ROWS =
      List.of(
          row("a workload finishes", world -> world.status(HOLDER, RequeueEventsTest::finished)),
          row(
              "a workload is deactivated and has stopped",
              world -> {
                world.spec(HOLDER, spec -> spec.with("active", false));
                world.status(HOLDER, RequeueEventsTest::released);
              }),
          row("a workload is deleted", world -> world.delete(HOLDER)),
          row(
              "a workload loses its quota and has to wait",
              world -> world.status(HOLDER, RequeueEventsTest::released)),
          row(
              "pods of a workload will not need their quota again",
              world -> world.status(HOLDER, RequeueEventsTest::onePodEnded)),
          new Row(
              "an elastic workload gets smaller",
              world ->
                  world.change(HOLDER, one -> one.withAnnotation(KueueNames.ELASTIC_JOB, "true")),
              world -> world.spec(HOLDER, spec -> spec.with("podSets", List.of(podSet(spec, 1))))),
          row(
              "a ClusterQueue gets more quota",
              world -> world.spec(POOR, RequeueEventsTest::withOneCpu)),
          row(
              "a ClusterQueue with quota joins the cohort",
              world -> world.clusterQueue("rich", "all", 1)),
          new Row(
              "a ClusterQueue is no longer stopped",
              world -> {
                world.delete(HOLDER);
                world.spec(POOR, spec -> spec.with("stopPolicy", "Hold"));
              },
              world -> world.spec(POOR, spec -> spec.without("stopPolicy"))),
          new Row(
              "a flavor appears",
              world -> {
                world.delete(HOLDER);
                world.delete(Kinds.RESOURCE_FLAVOR.key("plain"));
              },
              world -> create(world, Kinds.RESOURCE_FLAVOR, "plain")),
          new Row(
              "an AdmissionCheck appears and becomes active",
              world -> {
                world.delete(HOLDER);
                world.spec(
                    POOR,
                    spec ->
                        spec.with(
                            "admissionChecksStrategy", yaml("{admissionChecks: [{name: check}]}")));
              },
              world -> {
                create(world, Kinds.ADMISSION_CHECK, "check");
                ObjectKey check = Kinds.ADMISSION_CHECK.key("check");
                world.status(check, RequeueEventsTest::active);
              }),
          new Row(
              "a Topology appears",
              world -> {
                world.delete(HOLDER);
                world.spec(
                    Kinds.RESOURCE_FLAVOR.key("plain"), spec -> spec.with("topologyName", "hall"));
              },
              world -> create(world, Kinds.TOPOLOGY, "hall")),
          row("a Cohort with quota is created", world -> cohort(world, "all", ONE_CPU)),
          new Row(
              "a Cohort gets quota",
              world -> cohort(world, "all", "parentName: root"),
              world -> world.spec(Kinds.COHORT.key("all"), RequeueEventsTest::withOneCpu)),
          new Row(
              "a Cohort moves to a tree with quota",
              world -> {
                cohort(world, "all", "parentName: root");
                cohort(world, "wealth", ONE_CPU);
              },
              world ->
                  world.spec(Kinds.COHORT.key("all"), spec -> spec.with("parentName", "wealth"))),
          new Row(
              "a Cohort of a circle is deleted",
              world -> {
                world.delete(HOLDER);
                cohort(world, "all", "parentName: above");
                cohort(world, "above", "parentName: all");
              },
              world -> world.delete(Kinds.COHORT.key("above"))),
          new Row(
              "a namespace gets a label that is selected",
              world -> {
                world.delete(HOLDER);
                Tree selector = Tree.of("matchLabels", Tree.of("team", "a"));
                world.spec(POOR, spec -> spec.with("namespaceSelector", selector));
              },
              world ->
                  world.change(Kinds.NAMESPACE.key("other"), one -> one.withLabel("team", "a"))),
          new Row(
              "a LocalQueue is created",
              world -> {
                world.delete(HOLDER);
                world.delete(LOCAL);
              },
              world -> world.localQueue("other", "b", "poor")),
          new Row(
              "a LocalQueue is no longer stopped",
              world -> {
                world.delete(HOLDER);
                world.spec(LOCAL, spec -> spec.with("stopPolicy", "HoldAndDrain"));
              },
              world -> world.spec(LOCAL, spec -> spec.with("stopPolicy", "None"))),
          new Row(
              "a workload is created",
              world -> {
                world.delete(HOLDER);
                world.delete(PENDING);
              },
              world -> world.workload("other", "waits", "b", 0, 1)),
          new Row(
              "a workload is active again",
              world -> {
                world.delete(HOLDER);
                world.spec(PENDING, spec -> spec.with("active", false));
              },
              world -> world.spec(PENDING, spec -> spec.with("active", true))),
          new Row(
              "a workload has waited long enough",
              world -> {
                world.delete(HOLDER);
                world.status(PENDING, RequeueEventsTest::backingOff);
              },
              world -> world.status(PENDING, RequeueEventsTest::requeued)));

  private final QueueWorld world = new QueueWorld();

  @ParameterizedTest
  @FieldSource("ROWS")
  void eventRequeuesTheWorkload(Row row) {
    VirtualDriver driver = start();
    row.before().accept(world);
    pass(driver);
    assertThat(isReserved(PENDING)).as("before").isFalse();

    row.then().accept(world);
    pass(driver);

    assertThat(isReserved(PENDING)).isTrue();
  }

  @Test
  void workloadWithALowerPriorityIsPreempted() {
    VirtualDriver driver = start();
    Tree lower = Tree.of("withinClusterQueue", "LowerPriority");
    world.spec(Kinds.CLUSTER_QUEUE.key("cq"), spec -> spec.with("preemption", lower));
    world.workload("default", "important", "a", 5, 1);
    world.spec(HOLDER, spec -> spec.with("priority", 9));
    pass(driver);
    assertThat(isEvicted()).isFalse();

    world.spec(HOLDER, spec -> spec.with("priority", 1));
    pass(driver);

    assertThat(isEvicted()).isTrue();
  }

  private VirtualDriver start() {
    world.clusterQueue("cq", "all", 2).clusterQueue("poor", "all", 0);
    world.localQueue("default", "a", "cq").localQueue("other", "b", "poor");
    world.workload("default", "holder", "a", 0, 1);
    world.spec(HOLDER, spec -> spec.with("podSets", List.of(podSet(spec, 2))));
    VirtualDriver driver = world.start(DecisionLog.NONE, SETTLE_TIME);
    world.workload("other", "waits", "b", 0, 1);
    pass(driver);
    assertThat(isReserved(HOLDER)).isTrue();
    assertThat(isReserved(PENDING)).isFalse();
    return driver;
  }

  private void pass(VirtualDriver driver) {
    Worlds.pass(driver, world.cluster, SETTLE_TIME);
  }

  private boolean isReserved(ObjectKey key) {
    return world.cluster.get(key).map(Workload::new).filter(Workload::reserved).isPresent();
  }

  private boolean isEvicted() {
    return new Workload(world.cluster.require(HOLDER)).status().holds(WorkloadStatus.EVICTED);
  }

  private static Row row(String name, Consumer<QueueWorld> then) {
    return new Row(name, _ -> {}, then);
  }

  private static WorkloadStatus finished(WorkloadStatus status, Instant now) {
    return WorkloadTransitions.finish(status, "Succeeded", "", now);
  }

  private static WorkloadStatus released(WorkloadStatus status, Instant now) {
    return WorkloadTransitions.release(backingOff(status, now), "Pending", "", now);
  }

  private static WorkloadStatus active(WorkloadStatus status, Instant now) {
    return status.with(new Condition("Active", true, "Active", ""), now);
  }

  private static WorkloadStatus backingOff(WorkloadStatus status, Instant now) {
    return status.with(new Condition(WorkloadStatus.REQUEUED, false, "AdmissionCheck", ""), now);
  }

  private static WorkloadStatus requeued(WorkloadStatus status, Instant now) {
    return WorkloadTransitions.requeue(status, "BackoffFinished", "", now);
  }

  private static WorkloadStatus onePodEnded(WorkloadStatus status, Instant now) {
    var ended = new TreeMap<String, Integer>();
    ended.put("main", 1);
    return status.withReclaimablePods(ended);
  }

  private static Tree podSet(Tree spec, int count) {
    return spec.trees("podSets").getFirst().with("count", count);
  }

  private static Tree withOneCpu(Tree spec) {
    return spec.with("resourceGroups", yaml("{" + ONE_CPU + "}").at("resourceGroups"));
  }

  private static Tree yaml(String yaml) {
    return Worlds.yaml(yaml).tree();
  }

  private static void create(QueueWorld world, ResourceKind kind, String name) {
    world.cluster.create(kind, ApiObject.of(kind, "", name));
  }

  private static void cohort(QueueWorld world, String name, String spec) {
    world.cluster.create(
        Kinds.COHORT, ApiObject.of(Kinds.COHORT, "", name).withSpec(yaml("{" + spec + "}")));
  }
}
