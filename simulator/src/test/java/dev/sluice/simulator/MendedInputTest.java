package dev.sluice.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Wrong input holds up other workloads for no longer than it exists. */
class MendedInputTest {
  private QueueScenario town = new QueueScenario();

  @AfterEach
  void close() {
    assertThat(town.breaches()).isEmpty();
    town.close();
  }

  @Test
  void whereNobodyHasAnyWeightEverybodyIsServedAllTheSame() {
    town.close();
    town = QueueScenario.fair();
    String weightless = "preemption: {reclaimWithinCohort: Any}, fairSharing: {weight: \"0\"}";
    town.create(
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: left},"
            + " spec: {parentName: root, fairSharing: {weight: \"0\"}}}");
    town.queue("a", "0", "cohortName: left, " + weightless);
    town.queue("b", "0", "cohortName: root, " + weightless);
    town.queue("pool", "2", "cohortName: root");
    for (int i = 0; i < 4; i++) {
      town.job("a" + i, "a", 2, 10);
      town.job("b" + i, "b", 2, 10);
    }
    town.pass(200);

    for (int i = 0; i < 4; i++) {
      assertThat(town.state("a" + i)).as("a" + i).isEqualTo("Complete");
      assertThat(town.state("b" + i)).as("b" + i).isEqualTo("Complete");
    }
  }

  @Test
  void aLocalQueueWithoutWeightComesLastButComes() {
    town.close();
    town =
        new QueueScenario(
            ConfigurationFile.read(
                    """
                    apiVersion: config.kueue.x-k8s.io/v1beta2
                    kind: Configuration
                    admissionFairSharing: {usageHalfLifeTime: 1h, usageSamplingInterval: 1s}
                    """,
                    new TreeMap<>())
                .configuration());
    town.queue("q", "1", "admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}");
    town.create(
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: worthless},"
            + " spec: {clusterQueue: q, fairSharing: {weight: \"0\"}}}");
    town.job("first", "q", 1, 10);
    town.pass(1);
    town.job("worthless", "worthless", 1, 10);
    town.job("second", "q", 1, 10);
    town.pass(15);
    assertThat(town.running()).containsExactly("second");

    town.pass(30);
    assertThat(town.state("worthless")).isEqualTo("Complete");
  }

  @Test
  void aQueueWithoutQuotaGoesOnWhenItGetsSome() {
    town.queue("q", "0", "queueingStrategy: StrictFIFO");
    town.job("j", "q", 1, 10);
    town.pass(30);
    assertThat(town.state("j")).isEqualTo("Suspended");

    town.updateSpec("ClusterQueue", "q", quota("f", 1));
    town.pass(30);

    assertThat(town.state("j")).isEqualTo("Complete");
  }

  private static String quota(String flavor, int cpus) {
    return ("resourceGroups: [{coveredResources: [cpu], flavors: [{name: %s, resources:"
            + " [{name: cpu, nominalQuota: %d}]}]}]")
        .formatted(flavor, cpus);
  }

  @Test
  void aCycleThatClosesUnderLoadEndsNobodyAndHoldsUpNobodyOnceItIsOpen() {
    town.create(cohort("one", "parentName: two"));
    town.create(cohort("two", ""));
    town.queue("q", "2", "cohortName: one");
    town.job("runs", "q", 2, 60);
    town.pass(5);
    town.job("waits", "q", 2, 10);

    town.updateSpec("Cohort", "two", "parentName: one");
    town.pass(30);
    assertThat(town.running()).containsExactly("runs");
    assertThat(town.active("q")).startsWith("False").contains("circle");
    town.pass(60);
    assertThat(town.state("runs")).isEqualTo("Complete");
    assertThat(town.state("waits")).isEqualTo("Suspended");

    town.updateSpec("Cohort", "two", "parentName: null");
    town.pass(30);
    assertThat(town.state("waits")).isEqualTo("Complete");
  }

  @Test
  void aCohortThatIsItsOwnParentIsACycleToo() {
    town.create(cohort("self", "parentName: self"));
    town.queue("q", "2", "cohortName: self");
    town.job("j", "q", 1, 10);
    town.pass(10);
    assertThat(town.active("q")).startsWith("False").contains("circle");

    town.delete("Cohort", "self");
    town.pass(30);
    assertThat(town.state("j")).isEqualTo("Complete");
  }

  private static String cohort(String name, String spec) {
    return "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: %s}, spec: {%s}}"
        .formatted(name, spec);
  }

  @Test
  void aHeadThatNoIntegerCountsBlocksAStrictQueueUntilItIsGone() {
    town.queue("q", "9000000000000000000000", "queueingStrategy: StrictFIFO");
    town.create(
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: huge}, spec: {
         queueName: q, priority: 9, podSets: [{name: main, count: 2147483647, template: {spec: {
          restartPolicy: Never, containers: [{name: c, image: i, resources: {requests: {
           cpu: 9000000000000000}}}]}}}]}}
        """);
    town.job("j", "q", 1, 10);
    town.pass(30);
    assertThat(town.state("j")).isEqualTo("Suspended");

    town.delete("Workload", "huge");
    town.pass(30);
    assertThat(town.state("j")).isEqualTo("Complete");
  }

  @Test
  void quotaWithoutLimitThatIsCutHoldsTheLimitItThenHas() {
    town.queue("q", "9000000000000000000000", "");
    town.job("runs", "q", 5, 30);
    town.pass(5);

    town.updateSpec("ClusterQueue", "q", quota("f", 2));
    town.job("waits", "q", 2, 10);
    town.pass(10);
    assertThat(town.running()).containsExactly("runs");
    town.pass(60);

    assertThat(town.state("runs")).isEqualTo("Complete");
    assertThat(town.state("waits")).isEqualTo("Complete");
  }

  @Test
  void aFlavorBesideOneThatExistsIsMissedToo() {
    town.create(
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: q}, spec: {
         namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [
          {name: f, resources: [{name: cpu, nominalQuota: 2}]},
          {name: unknown, resources: [{name: cpu, nominalQuota: 2}]}]}]}}
        """);
    town.localQueue("q");
    town.job("j", "q", 1, 10);
    town.pass(10);
    assertThat(town.active("q")).startsWith("False").contains("unknown");
    assertThat(town.state("j")).isEqualTo("Suspended");

    town.updateSpec("ClusterQueue", "q", quota("f", 2));
    town.pass(30);
    assertThat(town.state("j")).isEqualTo("Complete");
  }

  @Test
  void aLenderDeletedUnderLoadEndsNobodyWhoBorrowed() {
    town.queue("lender", "4", "cohortName: all");
    town.queue("borrower", "0", "cohortName: all");
    town.job("runs", "borrower", 4, 30);
    town.pass(5);
    town.job("waits", "borrower", 4, 10);

    town.delete("ClusterQueue", "lender");
    town.pass(60);
    assertThat(town.state("runs")).isEqualTo("Complete");
    assertThat(town.state("waits")).as("no queue lends to it any more").isEqualTo("Suspended");

    town.updateSpec("ClusterQueue", "borrower", quota("f", 4));
    town.pass(30);
    assertThat(town.state("waits")).isEqualTo("Complete");
  }

  /** It stays until no object names it; workloads that come then get the new one. */
  @Test
  void aFlavorReplacedWhileInUseServesTheNextAsItIsThen() {
    town.queue("q", "2", "");
    town.job("runs", "q", 2, 30);
    town.pass(5);

    town.delete("ResourceFlavor", "f");
    assertThat(town.refusal(flavor("new"))).contains("already exists");
    town.pass(60);
    assertThat(town.state("runs")).isEqualTo("Complete");
    assertThat(town.flavor("f")).as("the queue still names it").isPresent();

    town.create("{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: g}}");
    town.updateSpec("ClusterQueue", "q", quota("g", 0));
    town.job("next", "q", 2, 600);
    town.pass(10);
    assertThat(town.flavor("f")).isEmpty();
    town.create(flavor("new"));
    town.updateSpec("ClusterQueue", "q", quota("f", 2));
    town.pass(10);

    assertThat(town.running()).containsExactly("next");
    Tree template =
        town.cluster().get(Kinds.JOB.key("default", "next")).orElseThrow().spec().tree("template");
    assertThat(template.text("spec", "nodeSelector", "disk")).isEqualTo("new");
  }

  private static String flavor(String disk) {
    return "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}, spec:"
        + " {nodeLabels: {disk: %s}}}".formatted(disk);
  }
}
