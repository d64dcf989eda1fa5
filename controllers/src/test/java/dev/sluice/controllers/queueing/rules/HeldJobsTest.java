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

/** Which Jobs are held back when they are created, and with which queue and priority. */
class HeldJobsTest {
  private final FakeCluster cluster = new FakeCluster(1);
  private final JobQueueingRules rules = new JobQueueingRules(cluster, Configuration.DEFAULT);

  @Test
  void aQueuedJobIsCreatedSuspended() {
    ApiObject queued = label(KueueNames.QUEUE_NAME, "q");

    assertThat(rules.onCreate(queued)).isEqualTo(suspended(queued));
    ApiObject old = note(KueueNames.QUEUE_NAME, "q");
    assertThat(rules.onCreate(old)).isEqualTo(suspended(old));
  }

  @Test
  void aJobWithoutAQueueIsLeftAlone() {
    assertThat(rules.onCreate(Judged.job())).isEqualTo(Judged.job());
  }

  @Test
  void aJobInANamespaceOfTheSystemIsLeftAlone() {
    Judged.createDefaultQueue(cluster);
    ApiObject job = label(KueueNames.QUEUE_NAME, "q").withMetadata("namespace", "kube-system");

    assertThat(rules.onCreate(job)).isEqualTo(job);
  }

  @Test
  void aJobWithoutAQueueGoesToTheDefaultOne() {
    Judged.createDefaultQueue(cluster);

    assertThat(rules.onCreate(Judged.job()))
        .isEqualTo(suspended(label(KueueNames.QUEUE_NAME, "default")));
    ApiObject queued = label(KueueNames.QUEUE_NAME, "q");
    assertThat(rules.onCreate(queued)).isEqualTo(suspended(queued));
  }

  @Test
  void whereAllJobsAreQueuedOneWithoutAQueueWaitsForOne() {
    var all = new JobQueueingRules(cluster, Settings.managingAll());

    assertThat(all.onCreate(Judged.job())).isEqualTo(suspended(Judged.job()));
  }

  @Test
  void aQueuedJobGetsTheDefaultPriorityWhereThatIsSwitchedOn() {
    var defaulting =
        new JobQueueingRules(cluster, Settings.with(Gate.WORKLOAD_PRIORITY_CLASS_DEFAULTING));
    ApiObject queued = label(KueueNames.QUEUE_NAME, "q");
    assertThat(defaulting.onCreate(queued)).isEqualTo(suspended(queued));

    cluster.create(
        Kinds.WORKLOAD_PRIORITY_CLASS, ApiObject.of(Kinds.WORKLOAD_PRIORITY_CLASS, "", "default"));

    assertThat(defaulting.onCreate(queued).label(KueueNames.PRIORITY_CLASS)).isEqualTo("default");
    assertThat(rules.onCreate(queued)).isEqualTo(suspended(queued));
    assertThat(defaulting.onCreate(Judged.job())).isEqualTo(Judged.job());
    ApiObject high = queued.withLabel(KueueNames.PRIORITY_CLASS, "high");
    assertThat(defaulting.onCreate(high)).isEqualTo(suspended(high));
  }

  @Test
  void aJobOfAQueuedJobIsLeftAlone() {
    Judged.createDefaultQueue(cluster);
    ApiObject parent = cluster.create(Kinds.JOB, label(KueueNames.QUEUE_NAME, "q"));
    ApiObject child = Worlds.job("child", spec -> spec).controlledBy(parent);

    assertThat(rules.onCreate(child)).isEqualTo(child);
    assertThat(Judged.fields(() -> rules.checkCreate(child))).isEmpty();
  }

  private static ApiObject label(String name, String value) {
    return Judged.job().withLabel(name, value);
  }

  private static ApiObject note(String name, String value) {
    return Judged.job().withAnnotation(name, value);
  }

  private static ApiObject suspended(ApiObject job) {
    return new Job(job).withSuspend(true).object();
  }
}
