package dev.sluice.controllers.queueing.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.Worlds;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Without validation, as without webhooks, a workload may have any content. Other workloads are
 * admitted all the same.
 */
class HostileWorkloadsTest {
  private static final List<List<String>> FIELDS =
      List.of(
          List.of("metadata", "annotations", KueueNames.SLICE_REPLACEMENT_FOR),
          List.of("metadata", "annotations", KueueNames.SLICE_NAME),
          List.of("spec", "priority"),
          List.of("spec", "podSets"),
          List.of("spec", "queueName"),
          List.of("status", "conditions"),
          List.of("status", "admission"),
          List.of("status", "admission", "clusterQueue"),
          List.of("status", "admission", "podSetAssignments"),
          List.of("status", "reclaimablePods"),
          List.of("status", "requeueState"),
          List.of("status", "requeueState", "requeueAt"),
          List.of("status", "admissionChecks"));

  private static final List<Value> ODD =
      List.of(
          Value.of("x"),
          Value.of("other/one"),
          Value.of("9999999999999999999999999999"),
          Value.of(Long.MIN_VALUE),
          Value.of(new BigDecimal("1e400")),
          Value.Null.NULL,
          Tree.EMPTY,
          Items.of(List.of("a", 1, Tree.EMPTY, Value.Null.NULL)),
          assignment("main", -1, "-5"),
          assignment("main", 0, "9223372036854775807"),
          assignment("unknown", Integer.MAX_VALUE, "1e300"),
          Items.of(
              List.of(
                  Tree.of("name", "main", "count", Integer.MAX_VALUE),
                  Tree.of("name", "main", "count", Integer.MAX_VALUE))));

  private static Items assignment(String podSet, int count, String cpus) {
    return Items.of(
        List.of(
            Tree.of(
                "name",
                podSet,
                "count",
                count,
                "flavors",
                Tree.of("cpu", "plain", "memory", "nowhere"),
                "resourceUsage",
                Tree.of("cpu", cpus, "memory", "much"))));
  }

  record Odd(List<String> field, Value value) {
    @Override
    public String toString() {
      String text = value.toString();
      return String.join(".", field) + ": " + text.substring(0, Math.min(30, text.length()));
    }
  }

  static final List<Odd> CASES = cases();

  private static List<Odd> cases() {
    var all = new ArrayList<Odd>();
    FIELDS.forEach(field -> ODD.forEach(value -> all.add(new Odd(field, value))));
    return all;
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void otherWorkloadsAreAdmitted(Odd odd) {
    var world = new QueueWorld();
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
    world.clusterQueue("next", "", 2).localQueue("other", "b", "next");
    world.workload("default", "odd", "a", 0, 1).workload("other", "good", "b", 0, 2);
    var key = Kinds.WORKLOAD.key("default", "odd");
    ApiObject plain = world.cluster.require(key);
    // Both its quota and its requests are read.
    ApiObject strange =
        plain
            .with(
                List.of("status", "reclaimablePods"),
                List.of(Tree.of("name", "main", "count", 5), Tree.of("name", "x", "count", -1)))
            .with(odd.field(), odd.value());
    world.cluster.update(Kinds.WORKLOAD, strange.without(List.of("status")));
    world.cluster.patchStatus(Kinds.WORKLOAD, world.cluster.require(key), strange.status());

    world.start(DecisionLog.NONE, Duration.ofSeconds(10));

    assertThat(world.workload("other", "good").admitted()).isTrue();
  }

  /** Neither negative requests nor negative usage count. */
  @Test
  void negativeUsageFreesNoQuota() {
    var world = new QueueWorld();
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
    world.workload("default", "wants", "a", 9, -5).workload("default", "holds", "a", 9, 1);
    var key = Kinds.WORKLOAD.key("default", "holds");
    world.status(
        key,
        (_, now) ->
            new WorkloadStatus(
                    Worlds.yaml(
                            """
                            status: {admission: {clusterQueue: cq, podSetAssignments: [{name: main,
                             count: 1, flavors: {cpu: plain}, resourceUsage: {cpu: "-5"}}]}}
                            """)
                        .status())
                .with(
                    new Condition(WorkloadStatus.QUOTA_RESERVED, true, "QuotaReserved", ""), now));
    world.workload("default", "first", "a", 1, 2).workload("default", "second", "a", 0, 1);

    VirtualDriver driver = world.start(DecisionLog.NONE, Duration.ofSeconds(10));

    assertThat(world.workload("default", "wants").admitted()).isTrue();
    assertThat(world.workload("default", "first").admitted()).isTrue();
    assertThat(world.workload("default", "second").admitted()).isFalse();

    world.delete(Kinds.WORKLOAD.key("default", "first"));
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(10));
    assertThat(world.workload("default", "second").admitted()).isTrue();
  }
}
