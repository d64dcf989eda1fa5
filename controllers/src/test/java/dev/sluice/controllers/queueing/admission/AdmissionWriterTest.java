package dev.sluice.controllers.queueing.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.queueing.ConditionReasons;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The effect of a decision whose workload changes before it is written. */
class AdmissionWriterTest {
  private static final ObjectKey W = Kinds.WORKLOAD.key("default", "w");

  /** A change between the decision and its write, and whether the decision still applies. */
  record Case(String name, Consumer<QueueWorld> meanwhile, boolean applies) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("nothing", _ -> {}, true),
          new Case("a label", world -> world.change(W, one -> one.withLabel("a", "b")), true),
          new Case("a priority", world -> world.spec(W, spec -> spec.with("priority", 7)), true),
          new Case(
              "another queue", world -> world.spec(W, spec -> spec.with("queueName", "b")), false),
          new Case("more pods", world -> world.spec(W, AdmissionWriterTest::withTwoPods), false),
          new Case(
              "switched off", world -> world.spec(W, spec -> spec.with("active", false)), false),
          new Case(
              "finished",
              world ->
                  world.status(
                      W, (status, now) -> WorkloadTransitions.finish(status, "R", "", now)),
              false));

  private static Tree withTwoPods(Tree spec) {
    Tree podSet = spec.trees("podSets").getFirst().with("count", 2);
    return spec.with("podSets", Items.of(List.of(podSet)));
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void staleDecisionIsNotWritten(Case c) {
    var world = new QueueWorld();
    world.clusterQueue("cq", "", 9).localQueue("default", "a", "cq");
    world.clusterQueue("other", "", 9).localQueue("default", "b", "other");
    world.workload("default", "w", "a", 0, 1);
    List<AdmissionDecision> decisions =
        QueueCache.rebuilt(world.cluster, world.configuration())
            .decide(world.cluster.time().now(), 9);
    var events = new EventRecorder(world.cluster, "test");
    var writer = new AdmissionWriter(world.cluster, events, ConditionReasons.PLAIN);

    c.meanwhile().accept(world);
    writer.admit((AdmissionDecision.Admit) decisions.getFirst());

    assertThat(world.workload("default", "w").status().holds(WorkloadStatus.QUOTA_RESERVED))
        .isEqualTo(c.applies());
  }
}
