package dev.sluice.controllers.queueing.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.Admission;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The flavor of an elastic job that scales up. */
class SliceFlavorTest {
  private static final Duration SETTLE_TIME = Duration.ofSeconds(10);

  private final QueueWorld world = new QueueWorld();

  @Test
  void scaledUpJobKeepsItsFlavor() {
    flavor("near");
    flavor("far");
    world.cluster.create(Kinds.CLUSTER_QUEUE, Worlds.yaml(queue(0)));
    world.localQueue("default", "lq", "cq");
    world.slice("first", 2, "");
    VirtualDriver driver = world.start(DecisionLog.NONE, SETTLE_TIME);
    assertThat(flavorOf("first")).isEqualTo("far");

    world.spec(Kinds.CLUSTER_QUEUE.key("cq"), _ -> Worlds.yaml(queue(9)).spec());
    world.slice("second", 3, "default/first");
    world.workload("default", "other", "lq", 0, 1);
    Worlds.pass(driver, world.cluster, SETTLE_TIME);

    assertThat(flavorOf("second")).isEqualTo("far");
    assertThat(flavorOf("other")).as("a workload that does not run yet").isEqualTo("near");
  }

  private void flavor(String name) {
    world.cluster.create(
        Kinds.RESOURCE_FLAVOR,
        Worlds.yaml(
            "{kind: ResourceFlavor, metadata: {name: %s}, spec: {nodeLabels: {place: %s}}}"
                .formatted(name, name)));
  }

  private static String queue(int near) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: cq}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors:
        - {name: near, resources: [{name: cpu, nominalQuota: %d}]}
        - {name: far, resources: [{name: cpu, nominalQuota: 9}]}
    """
        .formatted(near);
  }

  private String flavorOf(String workload) {
    return world
        .workload("default", workload)
        .admission()
        .flatMap(all -> all.of("main"))
        .map(Admission.Assignment::flavors)
        .map(flavors -> flavors.get("cpu"))
        .orElse("none");
  }
}
