package dev.sluice.controllers.queueing.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The quota of workloads whose number of pods changes: a queue with 5 cpus, and one cpu per pod.
 */
class ElasticQuotaTest {
  private static final Duration SETTLE_TIME = Duration.ofSeconds(3);

  private final QueueWorld world = new QueueWorld();

  private VirtualDriver start(String elastic) {
    world.clusterQueue("cq", "", 5).localQueue("default", "a", "cq");
    workload("job", 5, KueueNames.ELASTIC_JOB, elastic);
    return world.start(DecisionLog.NONE, SETTLE_TIME);
  }

  @Test
  void scaledDownSliceReleasesQuotaAtOnce() {
    VirtualDriver driver = start("true");
    assertThat(used()).isEqualTo(5000);

    resize("job", 2);
    pass(driver);

    assertThat(used()).isEqualTo(2000);
  }

  /** Three pods have ended; the job still wants the other two. */
  @Test
  void endedPodsAreScaledDownFirst() {
    VirtualDriver driver = start("true");
    reclaimable(3);
    pass(driver);
    assertThat(used()).isEqualTo(2000);

    world.change(key("job"), one -> one.withAnnotation(KueueNames.RECLAIMABLE_OF, "5"));
    resize("job", 2);
    pass(driver);

    assertThat(used()).isEqualTo(2000);
  }

  /** Of the three pods that a job with five was scaled down to, one has ended. */
  @Test
  void reclaimablePodsOfAScaledDownSliceNeedNoQuota() {
    VirtualDriver driver = start("true");
    reclaimable(1);
    resize("job", 3);
    pass(driver);

    assertThat(used()).isEqualTo(2000);
  }

  private void reclaimable(int pods) {
    var ended = new TreeMap<String, Integer>();
    ended.put("main", pods);
    world.status(key("job"), (status, _) -> status.withReclaimablePods(ended));
  }

  /** Its pod set has no say over a job, but in a chain of slices. */
  @Test
  void replacementMadeByHandReleasesQuotaWhenItShrinks() {
    VirtualDriver driver = start("false");
    workload("larger", 5, KueueNames.SLICE_REPLACEMENT_FOR, "default/job");
    pass(driver);
    assertThat(world.workload("default", "larger").reserved()).isTrue();

    resize("larger", 3);
    pass(driver);

    assertThat(used()).isEqualTo(3000);
  }

  /** Only an elastic job stops pods because its workload has changed. */
  @Test
  void otherWorkloadKeepsItsQuota() {
    VirtualDriver driver = start("false");

    resize("job", 2);
    pass(driver);

    assertThat(used()).isEqualTo(5000);
  }

  @Test
  void sliceThatScalesUpAgainNeedsTheReleasedQuota() {
    VirtualDriver driver = start("true");
    resize("job", 2);
    world.workload("default", "next", "a", 0, 2);
    pass(driver);
    assertThat(used()).isEqualTo(4000);

    workload("larger", 4, KueueNames.SLICE_REPLACEMENT_FOR, "default/job");
    pass(driver);

    assertThat(world.workload("default", "larger").reserved()).isFalse();
    world.delete(Kinds.WORKLOAD.key("default", "next"));
    pass(driver);
    assertThat(world.workload("default", "larger").reserved()).isTrue();
    assertThat(used()).isEqualTo(4000);
  }

  /** Quota that another workload reclaims from the old slice is not available to the new one. */
  @Test
  void newSliceCountsTheQuotaThatItsPredecessorStillHas() {
    VirtualDriver driver = start("true");
    world.change(key("job"), one -> one.withAnnotation(KueueNames.SLICE_NAME, "job"));
    world.workload("default", "next", "a", 5, 2);
    workload("larger", 7, KueueNames.SLICE_REPLACEMENT_FOR, "default/job");
    pass(driver);

    var ended = new TreeMap<String, Integer>();
    ended.put("main", 2);
    world.status(key("job"), (status, _) -> status.withReclaimablePods(ended));
    pass(driver);
    assertThat(world.workload("default", "next").reserved()).isTrue();

    world.spec(Kinds.CLUSTER_QUEUE.key("cq"), spec -> withQuota(spec, 8));
    pass(driver);
    assertThat(world.workload("default", "larger").reserved()).as("needs 9 in all").isFalse();

    world.spec(Kinds.CLUSTER_QUEUE.key("cq"), spec -> withQuota(spec, 9));
    pass(driver);
    assertThat(world.workload("default", "larger").reserved()).isTrue();
  }

  private static Tree withQuota(Tree spec, int cpus) {
    Tree quota = Tree.of("name", "cpu", "nominalQuota", cpus);
    Tree flavor = Tree.of("name", "plain", "resources", List.of(quota));
    Tree group = Tree.of("coveredResources", List.of("cpu"), "flavors", List.of(flavor));
    return spec.with("resourceGroups", List.of(group));
  }

  private void workload(String name, int count, String annotation, String value) {
    world.workload("default", name, "a", 0, 1);
    resize(name, count);
    world.change(key(name), one -> one.withAnnotation(annotation, value));
  }

  private void resize(String name, int count) {
    world.spec(
        key(name),
        spec ->
            spec.with("podSets", List.of(spec.trees("podSets").getFirst().with("count", count))));
  }

  private static ObjectKey key(String name) {
    return Kinds.WORKLOAD.key("default", name);
  }

  private void pass(VirtualDriver driver) {
    Worlds.pass(driver, world.cluster, SETTLE_TIME);
  }

  private long used() {
    var cpu = new FlavorResource("plain", "cpu");
    return world.cache.read(queues -> queues.ledger().tree().queue("cq").orElseThrow().usage(cpu));
  }
}
