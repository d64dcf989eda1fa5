package dev.sluice.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is wrong or pulled away has a defined answer, and never stops those it does not concern. */
class BadInputTest {
  private QueueScenario town = new QueueScenario();

  @AfterEach
  void close() {
    assertThat(town.breaches()).isEmpty();
    town.close();
  }

  @Test
  void aWeightOfZeroBorrowsOnlyWhatNobodyElseWants() {
    town.close();
    town = QueueScenario.fair();
    String borrows = "cohortName: all, preemption: {reclaimWithinCohort: Any}, fairSharing: ";
    town.queue("worthless", "0", borrows + "{weight: \"0\"}");
    town.queue("worthy", "0", borrows + "{weight: \"1\"}");
    town.queue("pool", "4", "cohortName: all");
    town.job("w0", "worthless", 2, 600);
    town.job("w1", "worthless", 2, 600);
    town.pass(10);
    assertThat(town.running()).containsExactly("w0", "w1");

    town.job("v0", "worthy", 2, 30);
    town.job("v1", "worthy", 2, 30);
    town.pass(20);

    assertThat(town.running()).containsExactly("v0", "v1");
    town.pass(60);
    assertThat(town.running())
        .as("no other workload needs it any more")
        .containsExactly("w0", "w1");
  }

  @Test
  void aQueueWithoutResourcesSaysWhyNobodyGetsIn() {
    town.create(
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: empty},"
            + " spec: {namespaceSelector: {}}}");
    town.localQueue("empty");
    town.job("j", "empty", 1, 10);
    town.pass(5);

    assertThat(town.state("j")).isEqualTo("Suspended");
    assertThat(town.why("j")).contains("cpu unavailable in ClusterQueue");
    town.updateSpec(
        "ClusterQueue",
        "empty",
        "resourceGroups: [{coveredResources: [cpu], flavors: [{name: f,"
            + " resources: [{name: cpu, nominalQuota: 1}]}]}]");
    town.pass(60);
    assertThat(town.state("j")).isEqualTo("Complete");
  }

  @Test
  void aCycleOfCohortsStopsOnlyItsQueuesUntilItIsBroken() {
    town.queue("inside", "2", "cohortName: one");
    town.queue("outside", "2", "cohortName: other");
    town.create(cohort("one", "two"));
    town.create(cohort("two", "one"));
    town.job("in", "inside", 1, 10);
    town.job("out", "outside", 1, 10);
    town.pass(60);

    assertThat(town.state("in")).isEqualTo("Suspended");
    assertThat(town.state("out")).isEqualTo("Complete");
    assertThat(town.active("inside")).startsWith("False").contains("cohort");
    assertThat(town.active("outside")).startsWith("True");
    assertThat(town.why("in")).isEqualTo("ClusterQueue inside is inactive");

    town.delete("Cohort", "two");
    town.pass(60);
    assertThat(town.state("in")).isEqualTo("Complete");
    assertThat(town.active("inside")).startsWith("True");
  }

  private static String cohort(String name, String parent) {
    return "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: %s}, spec: {parentName: %s}}"
        .formatted(name, parent);
  }

  @Test
  void aQuotaBeyondAnyIntegerIsAsGoodAsNoLimit() {
    town.queue("vast", "9E", "cohortName: all");
    town.queue("vaster", "9000000000000000000000", "cohortName: all");
    town.queue("none", "0", "cohortName: all");
    town.job("a", "vast", 3, 10);
    town.job("b", "vaster", 3, 10);
    town.job("c", "none", 3, 10);
    town.pass(60);

    for (String job : List.of("a", "b", "c")) {
      assertThat(town.state(job)).as(job).isEqualTo("Complete");
    }
  }

  @Test
  void negativeRequestsAndQuotasAreRefusedAtTheDoor() {
    assertThat(
            town.refusal(
                """
                {apiVersion: batch/v1, kind: Job, metadata: {name: debt, labels: {
                  kueue.x-k8s.io/queue-name: q}}, spec: {template: {spec: {restartPolicy: Never,
                  containers: [{name: c, image: i, resources: {requests: {cpu: "-1"}}}]}}}}
                """))
        .contains("requests")
        .contains("-1");
    assertThat(
            town.refusal(
                """
                {apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: q}, spec: {
                 resourceGroups: [{coveredResources: [cpu], flavors: [{name: f,
                  resources: [{name: cpu, nominalQuota: "-1"}]}]}]}}
                """))
        .contains("nominalQuota");
  }

  @Test
  void aQueueOfAnUnknownFlavorWaitsForIt() {
    town.create(
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: q}, spec: {
         namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: later,
          resources: [{name: cpu, nominalQuota: 2}]}]}]}}
        """);
    town.localQueue("q");
    town.job("j", "q", 1, 10);
    town.pass(5);
    assertThat(town.active("q")).contains("references missing ResourceFlavor(s): later");

    town.create(
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: later}}");
    town.pass(30);

    assertThat(town.state("j")).isEqualTo("Complete");
  }

  @Test
  void aQueueDeletedUnderLoadLetsItsJobsFinishAndComesBackEmpty() {
    town.queue("q", "2", "");
    town.job("runs", "q", 2, 30);
    town.pass(1);
    town.job("waits", "q", 2, 10);
    town.pass(5);

    town.delete("ClusterQueue", "q");
    town.pass(5);
    assertThat(town.running()).containsExactly("runs");
    town.pass(60);

    assertThat(town.state("runs")).isEqualTo("Complete");
    assertThat(town.why("waits")).isEqualTo("ClusterQueue q doesn't exist");
    town.create(
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: q}, spec: {
         namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: f,
          resources: [{name: cpu, nominalQuota: 2}]}]}]}}
        """);
    town.pass(60);
    assertThat(town.state("waits")).isEqualTo("Complete");
  }

  @Test
  void aLocalQueueDeletedUnderLoadLetsItsJobsFinishAndComesBack() {
    town.queue("q", "2", "");
    town.job("runs", "q", 2, 30);
    town.pass(1);
    town.job("waits", "q", 2, 10);
    town.pass(5);

    town.delete("LocalQueue", "q");
    town.pass(60);

    assertThat(town.state("runs")).isEqualTo("Complete");
    assertThat(town.state("waits")).isEqualTo("Suspended");
    assertThat(town.why("waits")).isEqualTo("LocalQueue q doesn't exist");
    town.localQueue("q");
    town.pass(60);
    assertThat(town.state("waits")).isEqualTo("Complete");
  }

  @Test
  void aFlavorRenamedWhileInUseStaysUntilNobodyNamesIt() {
    town.queue("q", "2", "");
    town.job("runs", "q", 2, 30);
    town.pass(5);

    town.delete("ResourceFlavor", "f");
    town.create("{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: g}}");
    town.pass(5);
    assertThat(town.flavor("f")).isPresent();
    town.updateSpec(
        "ClusterQueue",
        "q",
        "resourceGroups: [{coveredResources: [cpu], flavors: [{name: g,"
            + " resources: [{name: cpu, nominalQuota: 2}]}]}]");
    town.job("next", "q", 2, 10);
    town.pass(60);

    assertThat(town.flavor("f")).isEmpty();
    assertThat(town.state("runs")).isEqualTo("Complete");
    assertThat(town.state("next")).isEqualTo("Complete");
  }
}
