package dev.sluice.controllers.queueing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import org.junit.jupiter.api.Test;

/** The defaulting of new Jobs: which are suspended, and their queue and priority. */
class JobDefaultingTest {
  private final FakeCluster cluster = new FakeCluster(1);
  private final JobQueueingRules rules = new JobQueueingRules(cluster, Configuration.DEFAULT);

  @Test
  void queuedJobIsCreatedSuspended() {
    ApiObject queued = label(KueueNames.QUEUE_NAME, "q");

    assertThat(rules.onCreate(queued)).isEqualTo(suspended(queued));
    ApiObject old = annotation(KueueNames.QUEUE_NAME, "q");
    assertThat(rules.onCreate(old)).isEqualTo(suspended(old));
  }

  @Test
  void jobWithoutAQueueIsLeftAlone() {
    assertThat(rules.onCreate(RuleFixtures.job())).isEqualTo(RuleFixtures.job());
  }

  @Test
  void jobInASystemNamespaceIsLeftAlone() {
    RuleFixtures.createDefaultQueue(cluster);
    ApiObject job = label(KueueNames.QUEUE_NAME, "q").withMetadata("namespace", "kube-system");

    assertThat(rules.onCreate(job)).isEqualTo(job);
  }

  @Test
  void jobWithoutAQueueGetsTheDefaultOne() {
    RuleFixtures.createDefaultQueue(cluster);

    assertThat(rules.onCreate(RuleFixtures.job()))
        .isEqualTo(suspended(label(KueueNames.QUEUE_NAME, "default")));
    ApiObject queued = label(KueueNames.QUEUE_NAME, "q");
    assertThat(rules.onCreate(queued)).isEqualTo(suspended(queued));
  }

  @Test
  void jobWithoutAQueueIsSuspendedIfAllAreManaged() {
    var all = new JobQueueingRules(cluster, Settings.managingAll());

    assertThat(all.onCreate(RuleFixtures.job())).isEqualTo(suspended(RuleFixtures.job()));
  }

  @Test
  void queuedJobGetsTheDefaultPriorityWithTheGate() {
    var defaulting =
        new JobQueueingRules(cluster, Settings.with(Gate.WORKLOAD_PRIORITY_CLASS_DEFAULTING));
    ApiObject queued = label(KueueNames.QUEUE_NAME, "q");
    assertThat(defaulting.onCreate(queued)).isEqualTo(suspended(queued));

    cluster.create(
        Kinds.WORKLOAD_PRIORITY_CLASS, ApiObject.of(Kinds.WORKLOAD_PRIORITY_CLASS, "", "default"));

    assertThat(defaulting.onCreate(queued).label(KueueNames.PRIORITY_CLASS)).isEqualTo("default");
    assertThat(rules.onCreate(queued)).isEqualTo(suspended(queued));
    assertThat(defaulting.onCreate(RuleFixtures.job())).isEqualTo(RuleFixtures.job());
    ApiObject high = queued.withLabel(KueueNames.PRIORITY_CLASS, "high");
    assertThat(defaulting.onCreate(high)).isEqualTo(suspended(high));
  }

  @Test
  void childOfAQueuedJobIsLeftAlone() {
    RuleFixtures.createDefaultQueue(cluster);
    ApiObject parent = cluster.create(Kinds.JOB, label(KueueNames.QUEUE_NAME, "q"));
    ApiObject child = Worlds.job("child", spec -> spec).controlledBy(parent);

    assertThat(rules.onCreate(child)).isEqualTo(child);
    assertThat(RuleFixtures.fields(() -> rules.checkCreate(child))).isEmpty();
  }

  private static ApiObject label(String name, String value) {
    return RuleFixtures.job().withLabel(name, value);
  }

  private static ApiObject annotation(String name, String value) {
    return RuleFixtures.job().withAnnotation(name, value);
  }

  private static ApiObject suspended(ApiObject job) {
    return new Job(job).withSuspend(true).object();
  }
}
