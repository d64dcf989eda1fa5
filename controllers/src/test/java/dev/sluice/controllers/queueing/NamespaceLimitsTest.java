package dev.sluice.controllers.queueing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The effect of a namespace's LimitRanges on pending workloads, also when they change. */
final class NamespaceLimitsTest {
  private final QueueWorld world = new QueueWorld();

  private ApiObject limit(String rule) {
    return world.cluster.create(
        Kinds.LIMIT_RANGE,
        Worlds.yaml(
            """
            apiVersion: v1
            kind: LimitRange
            metadata: {name: limits, namespace: default}
            spec: {limits: [{type: Container, %s}]}
            """
                .formatted(rule)));
  }

  private void pass(VirtualDriver driver) {
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(10));
  }

  @Test
  void workloadWithRefusedPodsIsPendingUntilTheLimitIsDeleted() {
    world.clusterQueue("cq", "", 8).localQueue("default", "a", "cq");
    world.workload("default", "large", "a", 5, 3).workload("default", "small", "a", 0, 1);
    ApiObject limit = limit("max: {cpu: 2}");
    VirtualDriver driver = world.start(DecisionLog.NONE, Duration.ofSeconds(10));

    assertThat(world.workload("default", "small").admitted()).isTrue();
    WorkloadStatus status = world.workload("default", "large").status();
    assertThat(status.reason(WorkloadStatus.QUOTA_RESERVED)).isEqualTo("Pending");
    assertThat(status.message(WorkloadStatus.QUOTA_RESERVED))
        .isEqualTo(
            "resources validation failed: "
                + "spec.containers[0].resources.requests[cpu]: 3 is above the limit of 2");

    world.cluster.delete(Kinds.LIMIT_RANGE, limit, Deletion.BACKGROUND);
    pass(driver);
    assertThat(world.workload("default", "large").admitted()).isTrue();
  }

  @Test
  void newLimitChangesTheConditionOfAPendingWorkload() {
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
    world.workload("default", "large", "a", 0, 3);
    VirtualDriver driver = world.start(DecisionLog.NONE, Duration.ofSeconds(10));
    assertThat(world.workload("default", "large").admitted()).isFalse();

    limit("min: {cpu: 4}");
    pass(driver);
    WorkloadStatus status = world.workload("default", "large").status();
    assertThat(status.message(WorkloadStatus.QUOTA_RESERVED))
        .startsWith("resources didn't satisfy LimitRange constraints: ")
        .contains("3 cpu is below the minimum of 4");
  }
}
