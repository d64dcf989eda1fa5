package dev.sluice.controllers.queueing.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The charge of a LocalQueue for a workload, with admission fair sharing. */
class UsageChargeTest {
  private static final ObjectKey LOCAL = Kinds.LOCAL_QUEUE.key("default", "a");

  private final QueueWorld world =
      new QueueWorld(
          ConfigurationFile.read(
                  """
                  apiVersion: config.kueue.x-k8s.io/v1beta2
                  kind: Configuration
                  integrations: {frameworks: [batch/job]}
                  resources: {quotaCheckStrategy: IgnoreUndeclared}
                  admissionFairSharing: {usageHalfLifeTime: 1h}
                  """,
                  new TreeMap<>())
              .configuration());

  @Test
  void resourceWithoutQuotaCostsNothing() {
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
    world.spec(
        Kinds.CLUSTER_QUEUE.key("cq"),
        spec ->
            spec.with(
                "admissionScope", Tree.of("admissionMode", "UsageBasedAdmissionFairSharing")));
    world.workload("default", "w", "a", 0, 1);
    world.spec(Kinds.WORKLOAD.key("default", "w"), UsageChargeTest::withMemory);

    world.start(DecisionLog.NONE, Duration.ofSeconds(5));

    assertThat(world.workload("default", "w").admitted()).isTrue();
    var queue = new LocalQueue(world.cluster.require(LOCAL));
    assertThat(world.cache.consumed(queue).orElseThrow().consumed().byResource())
        .containsOnlyKeys("cpu");
  }

  private static Tree withMemory(Tree spec) {
    Tree podSet = spec.trees("podSets").getFirst();
    Tree requests = Tree.of("cpu", 1, "memory", "1Gi");
    Tree container = Tree.of("name", "main", "resources", Tree.of("requests", requests));
    return spec.with(
        "podSets",
        List.of(podSet.with(List.of("template", "spec", "containers"), List.of(container))));
  }
}
