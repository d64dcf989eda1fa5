package dev.sluice.controllers.queueing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.lifecycle.LifecycleWorld;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class RequiredChecksTest {

  /** A queue with the flavors spot and solid, and one check for some flavors or for all. */
  record Case(String name, List<String> onFlavors, Optional<Admission> admission, boolean want) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final Optional<Admission> NONE = Optional.empty();
  private static final Optional<Admission> SPOT = Optional.of(LifecycleWorld.admission("spot"));

  static final List<Case> CASES =
      List.of(
          new Case("for all flavors, before quota", List.of(), NONE, true),
          new Case("for each flavor by name, before quota", List.of("solid", "spot"), NONE, true),
          new Case("for one flavor, before quota", List.of("spot"), NONE, false),
          new Case("for all flavors, with quota", List.of(), SPOT, true),
          new Case("for the given flavor", List.of("spot"), SPOT, true),
          new Case("for another flavor", List.of("solid"), SPOT, false));

  /**
   * Without an admission, only checks for all flavors:
   * docs/specification/workload-lifecycle.md#required-checks.
   */
  @ParameterizedTest
  @FieldSource("CASES")
  void checkIsRequiredOrNot(Case c) {
    var life = new LifecycleWorld();
    life.checks(List.of(Tree.of("name", "a", "onFlavors", c.onFlavors())));

    var queue = new ClusterQueue(life.cluster.require(LifecycleWorld.CLUSTER_QUEUE));
    assertThat(RequiredChecks.of(queue, c.admission()).contains("a")).isEqualTo(c.want());
  }

  /**
   * The list is changed entry by entry:
   * docs/specification/workload-lifecycle.md#entries-belong-to-their-controllers.
   */
  @Test
  void statesOfCheckControllersAreKept() {
    Tree foreign =
        Tree.of("name", "b", "state", "Ready", "podSetUpdates", List.of(), "theirs", "kept");
    var status =
        new WorkloadStatus(Tree.EMPTY).withAdmissionChecks(List.of(new CheckState(foreign)));

    WorkloadStatus synced =
        RequiredChecks.sync(status, new TreeSet<>(List.of("a", "b")), LifecycleWorld.START);

    assertThat(synced.admissionChecks()).extracting(CheckState::name).containsExactly("a", "b");
    assertThat(synced.admissionChecks().getLast().tree()).isEqualTo(foreign);
    assertThat(RequiredChecks.sync(synced, new TreeSet<>(List.of("a", "b")), LifecycleWorld.START))
        .isSameAs(synced);
  }
}
