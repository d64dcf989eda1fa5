package dev.sluice.controllers.queueing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.ManagedJobs.Ancestry;
import dev.sluice.controllers.queueing.rules.Settings;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.tree.Tree;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManagedJobsTest {
  private static final ResourceKind TRAIN =
      new ResourceKind("example.com", "v1", "Train", "trains", true);

  private final FakeCluster cluster = new FakeCluster(1);
  private final ManagedJobs jobs =
      new ManagedJobs(cluster, Settings.withExternal("Train.v1.example.com"));

  @Test
  void queueNameIsALabelOrTheOldAnnotation() {
    ApiObject plain = job("j");
    ApiObject pod = ApiObject.of(Kinds.POD, "default", "p");

    assertThat(ManagedJobs.queueName(plain)).isEmpty();
    assertThat(ManagedJobs.queueName(queued(plain))).isEqualTo("q");
    assertThat(ManagedJobs.queueName(plain.withAnnotation(KueueNames.QUEUE_NAME, "old")))
        .isEqualTo("old");
    assertThat(ManagedJobs.queueName(queued(plain).withAnnotation(KueueNames.QUEUE_NAME, "old")))
        .isEqualTo("q");
    assertThat(ManagedJobs.queueName(pod.withAnnotation(KueueNames.QUEUE_NAME, "old"))).isEmpty();
  }

  @Test
  void annotationOfGroupOrWorkloadOverridesTheLabel() {
    ApiObject pod = ApiObject.of(Kinds.POD, "default", "p");
    ApiObject labelled =
        pod.withLabel(KueueNames.POD_GROUP, "g").withLabel(KueueNames.PREBUILT_WORKLOAD, "w");
    ApiObject both =
        labelled
            .withAnnotation(KueueNames.POD_GROUP, "longer")
            .withAnnotation(KueueNames.PREBUILT_WORKLOAD, "longer");

    assertThat(List.of(ManagedJobs.podGroup(pod), ManagedJobs.prebuilt(pod)))
        .containsExactly("", "");
    assertThat(List.of(ManagedJobs.podGroup(labelled), ManagedJobs.prebuilt(labelled)))
        .containsExactly("g", "w");
    assertThat(List.of(ManagedJobs.podGroup(both), ManagedJobs.prebuilt(both)))
        .containsExactly("longer", "longer");
  }

  @Test
  void systemNamespacesAreNotSelected() {
    assertThat(jobs.selectsNamespace("default")).isTrue();
    assertThat(jobs.selectsNamespace("kube-system")).isFalse();
    assertThat(jobs.selectsNamespace("kueue-system")).isFalse();
  }

  @Test
  void labelsOfANamespaceSelectIt() {
    var selecting =
        new ManagedJobs(
            cluster, Settings.selecting(Tree.of("matchLabels", Tree.of("batch", "yes"))));
    cluster.create(
        Kinds.NAMESPACE, ApiObject.of(Kinds.NAMESPACE, "", "a").withLabel("batch", "yes"));
    cluster.create(Kinds.NAMESPACE, ApiObject.of(Kinds.NAMESPACE, "", "b"));

    assertThat(selecting.selectsNamespace("a")).isTrue();
    assertThat(selecting.selectsNamespace("b")).isFalse();
    assertThat(selecting.selectsNamespace("gone")).isFalse();
  }

  @Test
  void jobWithAQueueNameIsQueued() {
    assertThat(jobs.manages(queued(job("j")))).isTrue();
    assertThat(jobs.manages(job("j"))).isFalse();
    assertThat(jobs.manages(queued(job("j")).withMetadata("namespace", "kube-system"))).isFalse();
  }

  @Test
  void jobWithoutAQueueNameIsQueuedIfAllAreManaged() {
    var all = new ManagedJobs(cluster, Settings.managingAll());

    assertThat(all.manages(job("j"))).isTrue();
    assertThat(all.manages(job("j").withMetadata("namespace", "kube-system"))).isFalse();
  }

  @Test
  void topMostQueuedJobIsTheAncestor() {
    ApiObject top = cluster.create(TRAIN, queued(ApiObject.of(TRAIN, "default", "top")));
    ApiObject middle = cluster.create(Kinds.JOB, queued(job("middle")).controlledBy(top));
    ApiObject child = queued(job("child")).controlledBy(middle);

    assertThat(jobs.ancestry(child)).isEqualTo(new Ancestry.Child(top));
    assertThat(jobs.manages(child)).isFalse();
  }

  @Test
  void jobWithoutQueuedOwnersIsFree() {
    ApiObject parent = cluster.create(Kinds.JOB, job("parent"));
    ApiObject child = queued(job("child")).controlledBy(parent);

    assertThat(jobs.ancestry(child)).isEqualTo(new Ancestry.Free());
    assertThat(new ManagedJobs(cluster, Settings.managingAll()).ancestry(child))
        .isEqualTo(new Ancestry.Child(parent));
  }

  @Test
  void objectWithAnotherUidIsNoOwner() {
    ApiObject parent = cluster.create(Kinds.JOB, queued(job("parent")));
    ApiObject child = queued(job("child")).controlledBy(parent.withMetadata("uid", "earlier"));

    assertThat(jobs.ancestry(child)).isEqualTo(new Ancestry.Free());
  }

  @Test
  void ownersOfOtherKindsAreNotFollowed() {
    var others = new ManagedJobs(cluster, Configuration.DEFAULT);
    ApiObject top = cluster.create(TRAIN, queued(ApiObject.of(TRAIN, "default", "top")));

    assertThat(others.ancestry(job("child").controlledBy(top))).isEqualTo(new Ancestry.Free());
  }

  @Test
  void tenLevelsOfOwnersAreFollowed() {
    ApiObject job = cluster.create(Kinds.JOB, queued(job("j0")));
    ApiObject top = job;
    for (int level = 1; level < ManagedJobs.MAX_LEVELS; level++) {
      job = cluster.create(Kinds.JOB, job("j" + level).controlledBy(job));
    }
    ApiObject tenth = job("j10").controlledBy(job);

    assertThat(jobs.ancestry(tenth)).isEqualTo(new Ancestry.Child(top));
    ApiObject eleventh = job("j11").controlledBy(cluster.create(Kinds.JOB, tenth));
    assertThat(jobs.ancestry(eleventh)).isEqualTo(new Ancestry.TooDeep());
  }

  @Test
  void cycleOfOwnersIsTooDeep() {
    ApiObject first = cluster.create(Kinds.JOB, job("first"));
    ApiObject second = cluster.create(Kinds.JOB, job("second").controlledBy(first));
    cluster.update(Kinds.JOB, first.controlledBy(second));

    assertThat(jobs.ancestry(job("child").controlledBy(first))).isEqualTo(new Ancestry.TooDeep());
  }

  private static ApiObject job(String name) {
    return Worlds.job(name, spec -> spec);
  }

  private static ApiObject queued(ApiObject job) {
    return job.withLabel(KueueNames.QUEUE_NAME, "q");
  }
}
