package dev.sluice.controllers.queueing.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.RoleHash;
import dev.sluice.controllers.queueing.integration.pod.PodGroupMembers;
import dev.sluice.controllers.queueing.integration.pod.PodIntegration;
import dev.sluice.controllers.queueing.rules.Settings;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodTemplate;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The pods that form a group, and the events on each of them. */
class GroupCompositionTest {
  private static final String COMPOSE = "Warning ErrWorkloadCompose: ";

  private final QueuedWorld world = new QueuedWorld();

  private static ApiObject requesting(ApiObject pod, int cpu) {
    return pod.with(
        List.of("spec", "containers"),
        List.of(Tree.of("name", "c", "resources", Map.of("requests", Map.of("cpu", cpu)))));
  }

  /** A second pod of a group of two that does not match the first. */
  record Case(String name, UnaryOperator<ApiObject> change, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> DISAGREEING =
      List.of(
          new Case(
              "the size",
              pod -> pod.withAnnotation(KueueNames.POD_GROUP_TOTAL, "3"),
              KueueNames.POD_GROUP_TOTAL),
          new Case(
              "the queue",
              pod -> pod.withLabel(KueueNames.QUEUE_NAME, "other"),
              KueueNames.QUEUE_NAME),
          new Case(
              "fast admission",
              pod -> pod.withAnnotation(KueueNames.POD_GROUP_FAST_ADMISSION, "true"),
              KueueNames.POD_GROUP_FAST_ADMISSION),
          new Case("a label that is copied", pod -> pod.withLabel("team", "blue"), "team"),
          new Case("an empty label that is copied", pod -> pod.withLabel("team", ""), "team"));

  @ParameterizedTest
  @FieldSource("DISAGREEING")
  void disagreeingPodsGetNoWorkload(Case c) {
    world.configuration = Settings.copying("team");
    world.createPod("a", pod -> QueuedWorld.member(pod, "g", 2).withLabel("team", "red"));
    world.createPod(
        "b", pod -> c.change().apply(QueuedWorld.member(pod, "g", 2).withLabel("team", "red")));
    world.run();

    assertThat(world.workloads()).isEmpty();
    assertThat(world.events("a"))
        .first()
        .asString()
        .startsWith(COMPOSE + "pods of a group must agree on " + c.want());
  }

  @Test
  void labelsOfAllPodsAreCopied() {
    world.configuration = Settings.copying("team");
    for (String name : List.of("a", "b")) {
      world.createPod(name, pod -> QueuedWorld.member(pod, "g", 2).withLabel("team", "blue"));
    }
    world.run();

    assertThat(world.workload().object().labels()).containsEntry("team", "blue");
  }

  /** Only different values are a contradiction; the pod with the label is not the first. */
  @Test
  void labelOfOnePodIsCopied() {
    world.configuration = Settings.copying("team");
    world.createMember("a", "g", 2);
    world.createPod("b", pod -> QueuedWorld.member(pod, "g", 2).withLabel("team", "blue"));
    world.run();

    assertThat(world.workload().object().labels()).containsEntry("team", "blue");
  }

  @Test
  void annotationOfOnePodIsCopied() {
    world.configuration = Settings.copyingAnnotation("acme.io/cost");
    world.createMember("a", "g", 2);
    world.createPod(
        "b", pod -> QueuedWorld.member(pod, "g", 2).withAnnotation("acme.io/cost", "high"));
    world.run();

    assertThat(world.workload().object().annotation("acme.io/cost")).isEqualTo("high");
  }

  @Test
  void copiedAnnotationMustBeEqual() {
    world.configuration = Settings.copyingAnnotation("acme.io/cost");
    world.createPod(
        "a", pod -> QueuedWorld.member(pod, "g", 2).withAnnotation("acme.io/cost", "low"));
    world.createPod(
        "b", pod -> QueuedWorld.member(pod, "g", 2).withAnnotation("acme.io/cost", "high"));
    world.run();
    assertThat(world.workloads()).isEmpty();
    assertThat(world.events("a"))
        .first()
        .asString()
        .startsWith(COMPOSE + "pods of a group must agree on acme.io/cost");

    for (String name : List.of("c", "d")) {
      world.createPod(
          name, pod -> QueuedWorld.member(pod, "h", 2).withAnnotation("acme.io/cost", "low"));
    }
    world.run();
    assertThat(world.workload().object().annotation("acme.io/cost")).isEqualTo("low");
  }

  @Test
  void groupHasAtMostEighteenRoles() {
    for (int i = 1; i <= 19; i++) {
      int cpu = i;
      world.createPod("p" + i, pod -> requesting(QueuedWorld.member(pod, "g", 19), cpu));
    }
    world.run();
    assertThat(world.workloads()).isEmpty();
    assertThat(world.events("p1"))
        .containsExactly(
            COMPOSE
                + "'g' group has 19 roles and may have 18: give more of its pods the same shape");

    world.cluster.delete(Kinds.POD, world.pod("p19").object(), Deletion.BACKGROUND);
    world.createPod("p20", pod -> requesting(QueuedWorld.member(pod, "g", 19), 18));
    world.run();

    assertThat(world.workload().podSets()).hasSize(18);
  }

  @Test
  void everyPodHasEventsOfStartAndStop() {
    for (String name : List.of("a", "b")) {
      world.createMember(name, "g", 2);
    }
    world.run();
    world.admit(world.workload());
    world.run();
    world.evict("Preempted");
    world.run();

    for (String name : List.of("a", "b")) {
      assertThat(world.events(name))
          .contains("Normal Started: Admitted by clusterQueue cq", "Normal Stopped: Go away");
    }
  }

  @Test
  void laterPodBecomesAnOwner() {
    world.createMember("a", "g", 1);
    world.run();
    world.admit(world.workload());
    world.run();
    Worlds.setPhase(world.cluster, world.pod("a"), Pod.Phase.FAILED);
    world.createMember("b", "g", 1);
    world.run();

    assertThat(world.events("g"))
        .contains("Normal OwnerReferencesAdded: Added 1 owner reference(s)");
  }

  @Test
  void gatedPodsAreExcessFirst() {
    Pod runs =
        new Pod(
            PodTemplate.of(world.createMember("a", "g", 1))
                .withoutSchedulingGate(KueueNames.ADMISSION_GATE)
                .onto(world.pod("a"))
                .object());
    Pod older = world.createMember("0", "g", 1);

    assertThat(PodGroupMembers.of(List.of(older, runs), 1).excess()).containsExactly(older);
  }

  @Test
  void groupRunsOnAPrebuiltWorkload() {
    UnaryOperator<ApiObject> member =
        pod -> QueuedWorld.member(pod, "g", 2).withLabel(KueueNames.PREBUILT_WORKLOAD, "g");
    Pod first = world.createPod("a", member);
    world.createPod("b", member);
    world.run();
    assertThat(world.workloads()).isEmpty();

    PodSet podSet = PodSet.of(RoleHash.of(first.object()), 2, PodTemplate.of(first));
    world.create(Workload.of("default", "g", "lq", List.of(podSet)).object());
    world.run();
    world.admit(world.workload());
    world.run();

    assertThat(world.workload().object().owners())
        .hasSize(2)
        .noneMatch(owner -> owner.controller());
    assertThat(PodIntegration.isGated(world.pod("a")) || PodIntegration.isGated(world.pod("b")))
        .isFalse();
  }

  /** Its name is not that of the group, so no group of its name has pods. */
  @Test
  void prebuiltWorkloadOfAGroupMayExistBeforeItsPods() {
    String role = RoleHash.of(world.createMember("sample", "other", 1).object());
    PodSet podSet = PodSet.of(role, 1, PodTemplate.of(world.pod("sample")));
    world.cluster.delete(Kinds.POD, world.pod("sample").object(), Deletion.NOW);
    world.create(
        Workload.of("default", "w", "lq", List.of(podSet))
            .object()
            .withAnnotation(KueueNames.IS_GROUP_WORKLOAD, "true"));
    world.run();
    assertThat(world.workload().finished()).isFalse();

    world.createPod(
        "a", pod -> QueuedWorld.member(pod, "g", 1).withLabel(KueueNames.PREBUILT_WORKLOAD, "w"));
    world.run();
    world.admit(world.workload());
    world.run();
    assertThat(world.isGated("a")).isFalse();

    world.cluster.delete(Kinds.POD, world.pod("a").object(), Deletion.BACKGROUND);
    world.run();
    assertThat(world.hasPod("a")).isFalse();
    assertThat(world.workload().status().reason(WorkloadStatus.FINISHED))
        .isEqualTo("OwnerNotFound");
  }

  /** A pod that has never run can still run. */
  @Test
  void gatedPodThatLosesItsQuotaIsRequeued() {
    world.createPod("p", UnaryOperator.identity());
    world.run();
    world.reserve(world.workload(), Map.of());
    world.evict("Preempted");
    world.run(Duration.ofSeconds(1));

    assertThat(PodIntegration.isGated(world.pod("p"))).isTrue();
    assertThat(world.workload().reserved()).isFalse();
    assertThat(world.workload().status().holds(WorkloadStatus.REQUEUED)).isTrue();
  }

  /** A running pod cannot be gated; its parent is stopped instead. */
  @Test
  void podOfAQueuedJobIsLeftAlone() {
    ApiObject parent = world.createJob("j", UnaryOperator.identity()).object();
    Pod child =
        world.createPod(
            "p", pod -> pod.controlledBy(parent).without(List.of("spec", "schedulingGates")));
    world.run();

    assertThat(world.pod("p").object().spec()).isEqualTo(child.object().spec());
    assertThat(world.workloads()).hasSize(1);
  }
}
