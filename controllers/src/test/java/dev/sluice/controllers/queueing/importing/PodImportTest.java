package dev.sluice.controllers.queueing.importing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.controllers.queueing.WorkloadNames;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.Admission.Assignment;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.testkit.Stopped;
import dev.sluice.testkit.Worlds;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The writes of an import, its repetition, and the manager that follows it. */
class PodImportTest {
  private static final UnaryOperator<ApiObject> PLAIN = UnaryOperator.identity();

  private final ImportWorld world = new ImportWorld();

  private static UnaryOperator<ApiObject> labelled(String name, String value) {
    return pod -> pod.withLabel(name, value);
  }

  @Test
  void podGetsAWorkloadAdmittedWithTheFirstFlavors() {
    Pod pod = world.pod("p", PLAIN);
    world.labels.put("origin", "import");

    assertThat(world.run().written()).isEqualTo(1);

    Workload workload = world.workloads().getFirst();
    assertThat(workload.object().name()).isEqualTo(WorkloadNames.of(Kinds.POD, pod.object()));
    assertThat(workload.object().isOwnedBy(pod.object())).isTrue();
    assertThat(workload.object().label(KueueNames.JOB_UID)).isEqualTo(pod.uid());
    assertThat(workload.object().label("origin")).isEqualTo("import");
    assertThat(workload.queueName()).isEqualTo("lq");
    assertThat(workload.podSets()).extracting(PodSet::name).containsExactly("main");
    Assignment given = workload.admission().orElseThrow().assignments().getFirst();
    assertThat(given.flavors()).isEqualTo(Map.of("cpu", "plain"));
    assertThat(given.usage().tree()).isEqualTo(Tree.of("cpu", "1"));
    String name = workload.object().name();
    assertThat(world.queues.condition("default", name, WorkloadStatus.QUOTA_RESERVED))
        .isEqualTo("True Imported: Imported into ClusterQueue cq");
    assertThat(world.queues.condition("default", name, WorkloadStatus.ADMITTED))
        .isEqualTo("True Imported: Imported into ClusterQueue cq");
    assertThat(world.pod("p").object().labels())
        .containsEntry(KueueNames.QUEUE_NAME, "lq")
        .containsEntry(KueueNames.MANAGED, "true")
        .containsEntry("origin", "import");
  }

  @Test
  void firstFlavorOfEachResourceGroupIsUsedAndPodsAreCounted() {
    world.queues.spec(
        Kinds.CLUSTER_QUEUE.key("cq"),
        _ ->
            Worlds.yaml(
                    """
                    apiVersion: v1
                    kind: X
                    spec:
                      resourceGroups:
                      - coveredResources: [cpu, pods]
                        flavors: [{name: plain}, {name: spare}]
                      - coveredResources: [gpu, memory]
                        flavors: [{name: big}]
                    """)
                .spec());
    for (String flavor : List.of("spare", "big")) {
      world.cluster.create(Kinds.RESOURCE_FLAVOR, ApiObject.of(Kinds.RESOURCE_FLAVOR, "", flavor));
    }
    world.pod(
        "p",
        pod ->
            pod.with(
                List.of("spec", "containers"),
                List.of(
                    Tree.of(
                        "name",
                        "c",
                        "resources",
                        Tree.of("requests", Tree.of("cpu", "2", "gpu", "1", "disk", "0"))))));

    world.run();

    Assignment given =
        world.workloads().getFirst().admission().orElseThrow().assignments().getFirst();
    assertThat(given.flavors()).hasToString("{cpu=plain, gpu=big, pods=plain}");
    assertThat(given.usage().byResource()).hasToString("{cpu=2000, gpu=1, pods=1}");
  }

  @Test
  void checksOfAnImportedPodAreReady() {
    world.queues.spec(
        Kinds.CLUSTER_QUEUE.key("cq"),
        spec ->
            spec.with(
                "admissionChecksStrategy",
                Tree.of("admissionChecks", List.of(Tree.of("name", "budget")))));
    world.pod("p", PLAIN);

    world.run();

    assertThat(WorkloadTransitions.checksReady(world.workloads().getFirst().status())).isTrue();
    assertThat(world.workloads().getFirst().status().admissionChecks()).hasSize(1);
  }

  @Test
  void checkWritesNothing() {
    world.pod("p", PLAIN);
    long before = world.cluster.writes();

    assertThat(world.check().ready()).isEqualTo(1);
    assertThat(world.cluster.writes()).isEqualTo(before);
  }

  @Test
  void secondImportWritesNothing() {
    world.pod("p", PLAIN);
    world.run();
    long before = world.cluster.writes();

    ImportReport again = world.run();

    assertThat(again.before()).isEqualTo(1);
    assertThat(again.pods()).isEqualTo(1);
    assertThat(world.cluster.writes()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void interruptedImportIsCompletedAndNoPodIsStopped(int writes) {
    world.pod("a", PLAIN);
    world.pod("b", PLAIN);
    world.cluster.stopAfterWrites(writes);
    assertThatThrownBy(world::run).isInstanceOf(Stopped.class);
    world.cluster.neverStop();
    world.manage();
    assertThat(world.pod("a").isDeleting() || world.pod("b").isDeleting()).isFalse();

    assertThat(world.run().refused()).isZero();

    world.manage();
    assertThat(world.workloads()).hasSize(2).allMatch(Workload::admitted);
    for (String pod : List.of("a", "b")) {
      assertThat(world.isMarked(pod)).isTrue();
      assertThat(world.pod(pod).isDeleting()).isFalse();
    }
  }

  @Test
  void podThatKueuesImporterOnlyLabelledIsCompleted() {
    world.pod(
        "p",
        pod -> pod.withLabel(KueueNames.QUEUE_NAME, "lq").withLabel(KueueNames.MANAGED, "true"));

    assertThat(world.run().written()).isEqualTo(1);
    assertThat(world.workloads()).hasSize(1).allMatch(Workload::admitted);
  }

  @Test
  void managerCountsImportedPodsAndLetsThemRun() {
    world.pod("a", PLAIN);
    world.pod("b", PLAIN);
    world.pod("c", PLAIN);
    world.run();
    world.queues.workload("default", "small", "lq", 0, 1);
    world.queues.workload("default", "late", "lq", 0, 1);

    world.manage();

    assertThat(
            world.queues.workload("default", "small").admitted()
                != world.queues.workload("default", "late").admitted())
        .as("one cpu was left")
        .isTrue();
    for (String pod : List.of("a", "b", "c")) {
      assertThat(world.pod(pod).isDeleting()).isFalse();
      assertThat(world.pod(pod).spec().hasSchedulingGates()).isFalse();
    }
    Tree status = world.cluster.require(Kinds.CLUSTER_QUEUE.key("cq")).status();
    assertThat(status.trees("flavorsReservation").getFirst().trees("resources").getFirst())
        .hasToString(Tree.of("borrowed", "0", "name", "cpu", "total", "4").toString());

    Worlds.setPhase(world.cluster, world.pod("a"), Pod.Phase.SUCCEEDED);
    world.manage();

    assertThat(world.queues.workload("default", "late").admitted()).isTrue();
    assertThat(world.queues.workload("default", "small").admitted()).isTrue();
  }

  @Test
  void usageAboveTheQuotaIsCounted() {
    for (String pod : List.of("a", "b", "c", "d", "e")) {
      world.pod(pod, PLAIN);
    }
    world.run();
    world.queues.workload("default", "late", "lq", 0, 1);

    world.manage();

    assertThat(world.queues.workload("default", "late").admitted()).isFalse();
    assertThat(world.cluster.list(Kinds.POD)).hasSize(5).noneMatch(ApiObject::isDeleting);
  }

  @Test
  void queuedPodAndSkippedPodAreLeftAlone() {
    world.rules(
        """
        - {match: {labels: {team: blue}}, skip: true}
        - {match: {labels: {team: red}}, toLocalQueue: lq}
        """);
    world.pod("blue", labelled("team", "blue"));
    world.pod(
        "held",
        pod ->
            pod.with(
                List.of("spec", "schedulingGates"),
                List.of(Map.of("name", KueueNames.ADMISSION_GATE))));
    ApiObject job =
        world.cluster.create(
            Kinds.JOB, Worlds.job("j", PLAIN_SPEC).withLabel(KueueNames.QUEUE_NAME, "lq"));
    world.pod("child", pod -> pod.controlledBy(job));
    Worlds.setPhase(world.cluster, world.pod("over", PLAIN), Pod.Phase.SUCCEEDED);

    ImportReport report = world.run();

    assertThat(report.skipped()).isEqualTo(3);
    assertThat(report.pods()).isEqualTo(3);
    assertThat(world.workloads()).isEmpty();
  }

  private static final UnaryOperator<Tree> PLAIN_SPEC = UnaryOperator.identity();

  @Test
  void podThatANodeChangesMeanwhileIsImported() {
    world.pod("p", PLAIN);
    world.cluster.guard((kind, _) -> {
      if (kind.equals(Kinds.WORKLOAD)) {
        ApiObject pod = world.pod("p").object();
        world.cluster.patchStatus(Kinds.POD, pod, pod.status().with("message", "started"));
      }
    });

    assertThat(world.run().written()).isEqualTo(1);
    assertThat(world.isMarked("p")).isTrue();
    assertThat(world.workloads()).hasSize(1);
  }

  @Test
  void refusalOfManyPodsIsReportedOnce() {
    world.pod("a", PLAIN);
    world.pod("b", PLAIN);
    world.cluster.guard((kind, object) -> {
      if (kind.equals(Kinds.WORKLOAD)) {
        throw ApiFailure.invalid(
            kind, object.name(), List.of(ApiFailure.Cause.forbidden("spec", "not today")));
      }
    });

    assertThat(world.run().lines())
        .containsExactly(
            "2 pods, such as default/a: its Workload is refused: spec: Forbidden: not today");
    assertThat(world.isMarked("a")).isFalse();
  }

  @Test
  void missingNamespaceIsReported() {
    var terms =
        new ImportTerms(List.of("nowhere"), world.mapping, world.labels, world.configuration, 1);

    assertThatThrownBy(() -> new PodImport(world.cluster, terms).check())
        .isInstanceOf(ApiException.class)
        .hasMessage("namespaces \"nowhere\" not found");
  }
}
