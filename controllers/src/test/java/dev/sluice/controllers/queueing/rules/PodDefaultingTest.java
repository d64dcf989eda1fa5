package dev.sluice.controllers.queueing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.RoleHash;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.tree.Tree;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The defaulting of new pods: which are gated, and their labels and annotations. */
class PodDefaultingTest {
  private static final String ROLE = RoleHash.ofSpec(RuleFixtures.pod().spec());

  private final FakeCluster cluster = new FakeCluster(1);
  private final PodQueueingRules rules = new PodQueueingRules(cluster, Configuration.DEFAULT);

  @Test
  void queuedPodIsGated() {
    ApiObject held = rules.onCreate(label(KueueNames.QUEUE_NAME, "q"));

    assertHeld(held, ROLE);
    assertThat(held.label(KueueNames.MANAGED)).isEqualTo("true");
    assertThat(held.finalizers()).containsExactly(KueueNames.MANAGED_FINALIZER);
    assertThat(rules.onCreate(held)).isEqualTo(held);
    assertThat(RuleFixtures.fields(() -> rules.checkCreate(held))).isEmpty();
  }

  @Test
  void podKeepsItsOwnGates() {
    ApiObject own =
        label(KueueNames.QUEUE_NAME, "q")
            .with(List.of("spec", "schedulingGates"), List.of(Tree.of("name", "mine")));

    ApiObject held = rules.onCreate(own);

    assertThat(held.spec().trees("schedulingGates"))
        .extracting(gate -> gate.text("name"))
        .containsExactly("mine", KueueNames.ADMISSION_GATE);
  }

  @Test
  void podWithoutAQueueIsLeftAlone() {
    assertThat(rules.onCreate(RuleFixtures.pod())).isEqualTo(RuleFixtures.pod());
  }

  @Test
  void podInASystemNamespaceIsLeftAlone() {
    ApiObject pod = label(KueueNames.QUEUE_NAME, "q").withMetadata("namespace", "kube-system");

    assertThat(rules.onCreate(pod)).isEqualTo(pod);
  }

  @Test
  void podWithoutAQueueGetsTheDefaultOne() {
    cluster.create(Kinds.LOCAL_QUEUE, ApiObject.of(Kinds.LOCAL_QUEUE, "default", "default"));

    ApiObject held = rules.onCreate(RuleFixtures.pod());

    assertHeld(held, ROLE);
    assertThat(held.label(KueueNames.QUEUE_NAME)).isEqualTo("default");
  }

  /** The Job may be older than the queue; it must not get stuck. */
  @Test
  void podOfAJobWithoutAQueueDoesNotGetTheDefaultOne() {
    cluster.create(Kinds.LOCAL_QUEUE, ApiObject.of(Kinds.LOCAL_QUEUE, "default", "default"));
    ApiObject job = cluster.create(Kinds.JOB, Worlds.job("j", spec -> spec));
    ApiObject pod = new Job(job).pod("p", "");

    assertThat(rules.onCreate(pod)).isEqualTo(pod);
  }

  @Test
  void podIsGatedIfAllAreManaged() {
    ApiObject held =
        new PodQueueingRules(cluster, Settings.managingAll()).onCreate(RuleFixtures.pod());

    assertHeld(held, ROLE);
    assertThat(held.label(KueueNames.QUEUE_NAME)).isEmpty();
  }

  @Test
  void podOfAQueuedJobIsLeftAlone() {
    ApiObject job =
        cluster.create(
            Kinds.JOB, Worlds.job("j", spec -> spec).withLabel(KueueNames.QUEUE_NAME, "q"));
    ApiObject pod = new Job(job).pod("p", "").withLabel(KueueNames.QUEUE_NAME, "q");

    assertThat(rules.onCreate(pod)).isEqualTo(pod);
  }

  @Test
  void podOfAnotherJobIsGatedWithAQueueName() {
    ApiObject job = cluster.create(Kinds.JOB, Worlds.job("j", spec -> spec));
    ApiObject pod = new Job(job).pod("p", "");

    assertThat(rules.onCreate(pod)).isEqualTo(pod);
    assertThat(
            PodGates.has(
                rules.onCreate(pod.withLabel(KueueNames.QUEUE_NAME, "q")).tree(),
                KueueNames.ADMISSION_GATE))
        .isTrue();
  }

  @Test
  void roleOfAPodIsComputed() {
    ApiObject spoofed = label(KueueNames.QUEUE_NAME, "q").withAnnotation(KueueNames.ROLE_HASH, "x");

    assertHeld(rules.onCreate(spoofed), ROLE);
  }

  @Test
  void podWithAPrebuiltWorkloadKeepsItsRole() {
    ApiObject leader =
        label(KueueNames.QUEUE_NAME, "q")
            .withLabel(KueueNames.PREBUILT_WORKLOAD, "w")
            .withAnnotation(KueueNames.ROLE_HASH, "leader");

    assertHeld(rules.onCreate(leader), "leader");
  }

  @Test
  void podOfASuspendingParentIsOnlyGated() {
    ApiObject pod =
        annotation(KueueNames.POD_SUSPENDING_PARENT, "statefulset")
            .withMetadata("namespace", "kube-system");

    ApiObject held = rules.onCreate(pod);

    assertHeld(held, ROLE);
    assertThat(held.finalizers()).isEmpty();
    assertThat(held.label(KueueNames.MANAGED)).isEmpty();
  }

  private static void assertHeld(ApiObject pod, String role) {
    assertThat(PodGates.has(pod.tree(), KueueNames.ADMISSION_GATE)).isTrue();
    assertThat(pod.annotation(KueueNames.ROLE_HASH)).isEqualTo(role);
  }

  private static ApiObject label(String name, String value) {
    return RuleFixtures.pod().withLabel(name, value);
  }

  private static ApiObject annotation(String name, String value) {
    return RuleFixtures.pod().withAnnotation(name, value);
  }
}
