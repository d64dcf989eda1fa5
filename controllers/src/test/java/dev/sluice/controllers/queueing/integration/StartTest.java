package dev.sluice.controllers.queueing.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.controllers.queueing.rules.Settings;
import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.batch.Job;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** The changes of a start in pod templates, its conflicts, and their removal by a stop. */
class StartTest {
  private final QueuedWorld world = new QueuedWorld();

  /** Creates the Job j with a check that updates its pod set, and starts it. */
  private void start(UnaryOperator<ApiObject> change, Tree update) {
    world.createJob("j", change);
    world.run();
    Tree check =
        Tree.of(
            "name", "c", "state", "Ready", "podSetUpdates", List.of(update.with("name", "main")));
    world.setStatus(
        world.workload(),
        world.workload().status().withAdmissionChecks(List.of(new CheckState(check))));
    world.admit(world.workload());
    world.run();
  }

  private static UnaryOperator<ApiObject> template(List<String> path, String value) {
    return job ->
        job.with(List.of("spec", "template", path.getFirst(), path.get(1), path.getLast()), value);
  }

  @Test
  void podSetUpdateReachesThePodsAndIsRemovedAgain() {
    Tree toleration = Tree.of("key", "spot", "operator", "Exists");
    start(
        UnaryOperator.identity(),
        Tree.of(
            "labels",
            Tree.of("l", "1"),
            "annotations",
            Tree.of("a", "2"),
            "nodeSelector",
            Tree.of("zone", "z"),
            "tolerations",
            List.of(toleration)));

    Job started = world.job("j");
    assertThat(started.isSuspended()).isFalse();
    assertThat(started.template().texts("metadata", "labels")).containsEntry("l", "1");
    assertThat(started.template().texts("metadata", "annotations")).containsEntry("a", "2");
    assertThat(started.podSpec().nodeSelector()).isEqualTo(Map.of("type", "big", "zone", "z"));
    assertThat(started.podSpec().tree().trees("tolerations")).hasSize(2).contains(toleration);

    world.evict("Preempted");
    world.run();

    Job stopped = world.job("j");
    assertThat(stopped.template().texts("metadata", "labels")).isEqualTo(Map.of("job-name", "j"));
    assertThat(stopped.template().texts("metadata", "annotations")).isEmpty();
    assertThat(stopped.podSpec().nodeSelector()).isEmpty();
    assertThat(stopped.podSpec().tree().trees("tolerations")).isEmpty();
  }

  /** A field of the template, and the same field of an update with another value, or the same. */
  record Case(String name, List<String> path, String field) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CONFLICTS =
      List.of(
          new Case("a label", List.of("metadata", "labels", "x"), "labels"),
          new Case("an annotation", List.of("metadata", "annotations", "x"), "annotations"),
          new Case("a node selector", List.of("spec", "nodeSelector", "x"), "nodeSelector"));

  @ParameterizedTest
  @FieldSource("CONFLICTS")
  void fieldOfThePodIsNotOverwritten(Case c) {
    start(template(c.path(), "own"), Tree.of(c.field(), Tree.of("x", "other")));

    WorkloadStatus status = world.workload().status();
    assertThat(world.job("j").isSuspended()).isTrue();
    assertThat(status.reason(WorkloadStatus.FINISHED)).isEqualTo("FailedToStart");
    assertThat(status.message(WorkloadStatus.FINISHED)).contains("x", "own", "other");
  }

  @ParameterizedTest
  @FieldSource("CONFLICTS")
  void equalFieldIsNoConflict(Case c) {
    start(template(c.path(), "same"), Tree.of(c.field(), Tree.of("x", "same")));

    assertThat(world.job("j").isSuspended()).isFalse();
  }

  @Test
  void disabledGateMeansNoQueueLabels() {
    world.configuration = Settings.without(Gate.ASSIGN_QUEUE_LABELS);
    world.started();

    assertThat(world.job("j").template().texts("metadata", "labels"))
        .containsEntry(KueueNames.POD_SET, "main")
        .doesNotContainKeys(KueueNames.LOCAL_QUEUE, KueueNames.CLUSTER_QUEUE);
  }

  @ParameterizedTest
  @CsvSource({"team-a,true", "team.a,false", "Team,false", "-a,false"})
  void onlyValidLabelValuesBecomeLabels(String queue, boolean fits) {
    assertThat(PodSetInfo.isLabelValue(queue)).isEqualTo(fits);
    assertThat(PodSetInfo.isLabelValue("a".repeat(63))).isTrue();
    assertThat(PodSetInfo.isLabelValue("a".repeat(64))).isFalse();
  }

  /** The annotation is read as Go parses booleans, as in validation. */
  @ParameterizedTest
  @CsvSource({"true,3", "True,3", "1,3", "false,10", "0,10"})
  void completionsFollowTheAnnotation(String value, int completions) {
    world.createJob(
        "j",
        job ->
            job.withAnnotation(KueueNames.JOB_MIN_PARALLELISM, "2")
                .withAnnotation(KueueNames.JOB_COMPLETIONS_EQUAL_PARALLELISM, value)
                .with(List.of("spec", "parallelism"), 10)
                .with(List.of("spec", "completions"), 10));
    world.run();
    world.admit(world.workload(), Map.of("main", 3));
    world.run();

    assertThat(world.job("j").parallelism()).isEqualTo(3);
    assertThat(world.job("j").completions()).hasValue(completions);
  }

  /** No node has both, so the pods would stay pending and block their quota. */
  @Test
  void flavorsWithDifferentNodesAreAConflict() {
    world.create(
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: g},
         spec: {nodeLabels: {type: small}}}
        """);
    world.createJob("j", UnaryOperator.identity());
    world.run();
    var given =
        new Admission.Assignment(
            "main",
            1,
            new TreeMap<>(Map.of("cpu", "f", "memory", "g")),
            Amounts.of(Tree.of("cpu", "1", "memory", "1")));
    WorkloadStatus reserved =
        WorkloadTransitions.reserve(
            world.workload().status(), new Admission("cq", List.of(given)), world.now());
    world.setStatus(
        world.workload(), WorkloadTransitions.admit(reserved, "cq", world.now()).status());
    world.run();

    WorkloadStatus status = world.workload().status();
    assertThat(world.job("j").isSuspended()).isTrue();
    assertThat(status.reason(WorkloadStatus.FINISHED)).isEqualTo("FailedToStart");
    assertThat(status.message(WorkloadStatus.FINISHED)).contains("type", "small", "big");
  }

  /** Otherwise a user could make a start fail and run without quota. */
  @Test
  void jobResumedAfterAFailedStartIsStopped() {
    start(
        template(List.of("metadata", "labels", "x"), "own"),
        Tree.of("labels", Tree.of("x", "other")));
    assertThat(world.workload().finished()).isTrue();

    world.updateJob(job -> new Job(job).withSuspend(false).object());
    world.run();

    assertThat(world.job("j").isSuspended()).isTrue();
    assertThat(world.reasons("j")).contains("Stopped");
  }
}
