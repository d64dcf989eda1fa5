package dev.sluice.engine.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.framework.Placement;
import dev.sluice.engine.scheduling.framework.Profile;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodPreemptionTest {
  private final SchedulingScene scene = new SchedulingScene();

  private PodFacts pod(String name, int cpu, int priority) {
    return scene.pod(name, "cpu: " + cpu, "priority: " + priority);
  }

  @Test
  void onlyThoseLeaveWhoMust() {
    scene.node("a", "cpu: 4, memory: 1Gi");
    scene.on("a", pod("low", 1, 1)).on("a", pod("lower", 1, 0)).on("a", pod("middle", 2, 5));

    assertThat(scene.place(pod("high", 1, 10))).isEqualTo("after [lower] on a");
    assertThat(scene.place(pod("high", 2, 10))).isEqualTo("after [low, lower] on a");
    assertThat(scene.place(pod("high", 4, 10))).isEqualTo("after [middle, low, lower] on a");
  }

  @Test
  void equalPriorityPreemptsNothing() {
    scene.node("a", "cpu: 1, memory: 1Gi").on("a", pod("one", 1, 5));

    assertThat(scene.place(pod("other", 1, 5)))
        .isEqualTo(
            "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption:"
                + " 0/1 nodes are available: 1 No preemption victims found for incoming pod.");
  }

  @Test
  void whatDoesNotHelpIsSaidForEachNode() {
    scene
        .node("small", "cpu: 1, memory: 1Gi")
        .node("other", "cpu: 9, memory: 1Gi", "", "unschedulable: true")
        .node("full", "cpu: 4, memory: 1Gi")
        .on("full", pod("high", 2, 20))
        .on("full", pod("low", 2, 1));

    assertThat(scene.place(pod("new", 3, 10)))
        .isEqualTo(
            "0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient cpu. no new"
                + " claims to deallocate, preemption: 0/3 nodes are available: 1 Insufficient cpu,"
                + " 2 Preemption is not helpful for scheduling.");
  }

  @Test
  void theNodeWithTheLeastHarmIsChosen() {
    scene.node("a", "cpu: 2, memory: 1Gi").node("b", "cpu: 2, memory: 1Gi");

    scene.on("a", pod("guarded", 2, 1)).on("b", pod("free", 2, 5));
    scene.budget("budget", "guarded", 0);
    assertThat(scene.place(pod("high", 2, 10))).isEqualTo("after [free] on b");

    scene.budget("budget", "guarded", 1);
    assertThat(scene.place(pod("high", 2, 10))).isEqualTo("after [guarded] on a");
  }

  @Test
  void theLowestHighestPriorityComesBeforeTheirSumAndNumber() {
    scene
        .node("a", "cpu: 2, memory: 1Gi")
        .node("b", "cpu: 2, memory: 1Gi")
        .on("a", pod("one", 2, 3))
        .on("b", pod("two", 1, 2))
        .on("b", pod("three", 1, 2));
    assertThat(scene.place(pod("high", 2, 10))).isEqualTo("after [two, three] on b");

    scene.node("c", "cpu: 2, memory: 1Gi").on("c", pod("four", 2, 2));
    assertThat(scene.place(pod("high", 2, 10))).isEqualTo("after [four] on c");
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "99, 99", "100, 100", "999, 100", "2000, 200", "5000, 500"})
  void soManyNodesAreEnoughToChooseFrom(int nodes, int want) {
    assertThat(Profile.PreemptionRules.DEFAULT.enough(nodes)).isEqualTo(want);
  }

  @Test
  void ofEqualsTheOneThatBeganLastLeaves() {
    scene.node("a", "cpu: 1, memory: 1Gi").node("b", "cpu: 1, memory: 1Gi");
    scene.on("a", started("old", "2030-01-01T00:00:00Z"));
    scene.on("b", started("young", "2030-01-02T00:00:00Z"));

    assertThat(scene.place(pod("high", 1, 10))).isEqualTo("after [young] on b");
  }

  @Test
  void unstartedPodIsPreemptedBeforeAStartedOne() {
    scene.node("a", "cpu: 2, memory: 1Gi").on("a", pod("waiting", 1, 0));
    scene.on("a", started("running", "2030-01-02T00:00:00Z"));

    assertThat(scene.place(pod("high", 1, 10))).isEqualTo("after [waiting] on a");
  }

  private PodFacts started(String name, String at) {
    return pod(name, 1, 0).startedAt(Instant.parse(at));
  }

  @Test
  void thePriorityOfAllVictimsTogetherComesBeforeTheirNumber() {
    scene
        .node("a", "cpu: 2, memory: 1Gi")
        .node("b", "cpu: 2, memory: 1Gi")
        .on("a", pod("one", 1, 4))
        .on("a", pod("two", 1, 3))
        .on("b", pod("three", 1, 4))
        .on("b", pod("four", 1, 2));

    assertThat(scene.place(pod("high", 2, 10))).isEqualTo("after [three, four] on b");
  }

  @Test
  void thenFewerVictimsAreBetter() {
    // The least important pods there can be add nothing to the sum.
    scene
        .node("a", "cpu: 2, memory: 1Gi")
        .node("b", "cpu: 2, memory: 1Gi")
        .on("a", pod("one", 1, 4))
        .on("a", pod("least", 1, Integer.MIN_VALUE))
        .on("b", pod("two", 2, 4));

    assertThat(scene.place(pod("high", 2, 10))).isEqualTo("after [two] on b");
  }

  @Test
  void protectedPodsComeBackBeforeMoreImportantOnes() {
    scene.node("a", "cpu: 2, memory: 1Gi").on("a", pod("guarded", 1, 1)).on("a", pod("free", 1, 5));
    scene.budget("budget", "guarded", 0);

    assertThat(scene.place(pod("high", 1, 10))).isEqualTo("after [free] on a");
  }

  @Test
  void nominatedPodSatisfiesNoAffinityYet() {
    scene.node("a", "cpu: 2, memory: 1Gi");
    scene.state.nominate(pod("promised", 1, 5).nominatedTo("a"));
    String near =
        "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey:"
            + " kubernetes.io/hostname, labelSelector: {matchLabels: {app: promised}}}]}}";

    assertThat(scene.place(scene.pod("friend", "", near)))
        .startsWith("0/1 nodes are available: 1 node(s) didn't match pod affinity rules.");
  }

  @Test
  void roomThatIsKeptIsNotFreeForOthersAsImportant() {
    scene.node("a", "cpu: 2, memory: 1Gi");
    scene.state.nominate(pod("promised", 2, 5).nominatedTo("a"));

    assertThat(scene.place(pod("same", 1, 5))).startsWith("0/1 nodes are available");
    assertThat(scene.scheduler.place(pod("promised", 2, 5).nominatedTo("a")))
        .isEqualTo(new Placement.OnNode("a"));
    assertThat(scene.place(pod("higher", 1, 6))).isEqualTo("a");
  }

  @Test
  void preemptorThatWaitsForVictimsPreemptsNoMore() {
    scene.node("a", "cpu: 2, memory: 1Gi").node("b", "cpu: 2, memory: 1Gi");
    scene.on("a", pod("leaving", 2, 1).leaving()).on("b", pod("staying", 2, 1));

    assertThat(scene.place(pod("high", 2, 5).nominatedTo("a")))
        .endsWith("preemption: not eligible due to a terminating pod on the nominated node.");
  }

  @Test
  void preemptorLearnsWhoseNominationItReplaces() {
    scene.node("a", "cpu: 2, memory: 1Gi").on("a", pod("low", 2, 1));
    PodFacts waiting = pod("waiting", 2, 5).nominatedTo("a");
    scene.state.nominate(waiting);

    assertThat(scene.scheduler.place(pod("high", 2, 9)))
        .isInstanceOfSatisfying(
            Placement.AfterPreemption.class,
            after -> assertThat(after.displaced()).isEqualTo(List.of(waiting.key())));
  }

  @Test
  void antiAffinityIsAReasonToLeaveToo() {
    scene.node("a", "cpu: 9, memory: 1Gi");
    String apart =
        "priority: 1, affinity: {podAntiAffinity:"
            + " {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey:"
            + " kubernetes.io/hostname, labelSelector: {matchLabels: {app: high}}}]}}";
    scene.on("a", scene.pod("shy", "cpu: 1", apart)).on("a", pod("calm", 1, 0));

    assertThat(scene.place(pod("high", 1, 5))).isEqualTo("after [shy] on a");
  }
}
