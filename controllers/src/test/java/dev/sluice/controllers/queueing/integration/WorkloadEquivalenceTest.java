package dev.sluice.controllers.queueing.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The changes of a job after which its workload still matches. */
class WorkloadEquivalenceTest {
  private static final List<String> POD_SPEC = List.of("spec", "template", "spec");

  private static UnaryOperator<ApiObject> podSpec(String field, Object value) {
    return job -> job.with(append(field), value);
  }

  private static List<String> append(String field) {
    var path = new ArrayList<>(POD_SPEC);
    path.add(field);
    return path;
  }

  /**
   * Whether a change matches while the workload is pending, reserved, and admitted with a running
   * job.
   */
  record Case(
      String name,
      UnaryOperator<ApiObject> change,
      boolean waiting,
      boolean reserved,
      boolean running) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("nothing", UnaryOperator.identity(), true, true, true),
          new Case("a label of the job", job -> job.withLabel("a", "b"), true, true, true),
          new Case("affinity", podSpec("affinity", Tree.of("a", "b")), true, true, true),
          new Case("node selector", podSpec("nodeSelector", Tree.of("a", "b")), true, true, true),
          new Case("priority", podSpec("priorityClassName", "p"), true, true, true),
          new Case(
              "tolerations",
              podSpec("tolerations", List.of(Tree.of("key", "k"))),
              false,
              false,
              true),
          new Case(
              "containers",
              podSpec("containers", List.of(Tree.of("name", "x"))),
              false,
              false,
              false),
          new Case(
              "init containers",
              podSpec("initContainers", List.of(Tree.of("name", "x"))),
              false,
              false,
              false),
          new Case(
              "parallelism",
              job -> job.with(List.of("spec", "parallelism"), 3),
              false,
              false,
              false),
          new Case(
              "minimal parallelism",
              job -> job.withAnnotation(KueueNames.JOB_MIN_PARALLELISM, "1"),
              false,
              false,
              false),
          new Case(
              "execution time",
              job -> job.withLabel(KueueNames.MAX_EXEC_TIME, "5"),
              false,
              false,
              false),
          new Case(
              "the longest execution time",
              job -> job.withLabel(KueueNames.MAX_EXEC_TIME, "2147483647"),
              false,
              false,
              false),
          new Case(
              "an execution time that is none",
              job -> job.withLabel(KueueNames.MAX_EXEC_TIME, "soon"),
              true,
              true,
              true));

  private final QueuedWorld world = new QueuedWorld();

  private boolean matches(UnaryOperator<ApiObject> change) {
    ApiObject job = change.apply(world.job("j").object());
    return new SingleJob(world.cluster, world.configuration, new BatchJobIntegration(), job)
        .matches(world.workload());
  }

  /**
   * The table of changes in docs/specification/job-integration.md#equivalence-of-job-and-workload.
   */
  @ParameterizedTest
  @FieldSource("CASES")
  void changeMatchesOrNot(Case c) {
    world.createJob(
        "j",
        job -> job.with(List.of("spec", "parallelism"), 2).with(List.of("spec", "completions"), 9));
    world.run();
    assertThat(matches(c.change())).as("waiting").isEqualTo(c.waiting());

    world.reserve(world.workload(), Map.of());
    assertThat(matches(c.change())).as("reserved").isEqualTo(c.reserved());

    world.admit(world.workload());
    world.run();
    assertThat(world.job("j").isSuspended()).isFalse();
    assertThat(matches(c.change())).as("running").isEqualTo(c.running());
  }
}
