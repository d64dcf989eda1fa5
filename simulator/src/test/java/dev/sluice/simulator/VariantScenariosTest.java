package dev.sluice.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Deletion;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workloads that are tried on several flavors in parallel, as their users see them. */
class VariantScenariosTest {
  private final QueueScenario town = new QueueScenario(configuration());

  static Configuration configuration() {
    return ConfigurationFile.read(
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            featureGates: {ConcurrentAdmission: true}
            """,
            new TreeMap<>())
        .configuration();
  }

  @BeforeEach
  void flavors() {
    for (String flavor : List.of("good", "fair", "poor")) {
      town.create(
          """
          {apiVersion: v1, kind: Node, metadata: {name: %s, labels: {type: %s},
            annotations: {kwok.x-k8s.io/node: fake}},
           status: {capacity: {cpu: 900, pods: 500}, allocatable: {cpu: 900, pods: 500}}}
          ---
          {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: %s},
           spec: {nodeLabels: {type: %s}}}
          """
              .formatted(flavor, flavor, flavor, flavor));
    }
  }

  @AfterEach
  void close() {
    assertThat(town.breaches()).isEmpty();
    town.close();
  }

  private void queue(String mode, int good, int fair, int poor, String more) {
    town.create(
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: q}, spec: {
         namespaceSelector: {}, concurrentAdmissionPolicy: {migration: {mode: %s}}, %s%s}}
        """
            .formatted(mode, more.isEmpty() ? "" : more + ", ", groups(good, fair, poor)));
    town.localQueue("q");
  }

  private static String groups(int good, int fair, int poor) {
    return """
    resourceGroups: [{coveredResources: [cpu], flavors: [
     {name: good, resources: [{name: cpu, nominalQuota: %d}]},
     {name: fair, resources: [{name: cpu, nominalQuota: %d}]},
     {name: poor, resources: [{name: cpu, nominalQuota: %d}]}]}]
    """
        .formatted(good, fair, poor);
  }

  private void grow(int good, int fair, int poor) {
    town.updateSpec("ClusterQueue", "q", groups(good, fair, poor));
  }

  private Workload variant(String job, String flavor) {
    String parent = town.workload(job).object().name();
    return town.cluster().list(Kinds.WORKLOAD).stream()
        .map(Workload::new)
        .filter(one -> one.parent().filter(owner -> owner.name().equals(parent)).isPresent())
        .filter(one -> one.allowedFlavor().equals(flavor))
        .findFirst()
        .orElseThrow();
  }

  /** Which variants of a job take part. */
  private List<String> active(String job) {
    return List.of("good", "fair", "poor").stream()
        .filter(flavor -> variant(job, flavor).active())
        .toList();
  }

  private String runsOn(String job) {
    var found = new Job(town.cluster().get(Kinds.JOB.key("default", job)).orElseThrow());
    return found.isSuspended() ? "" : found.podSpec().tree().text("nodeSelector", "type");
  }

  private List<String> events(ApiObject about) {
    return town.cluster().list(Kinds.EVENT).stream()
        .filter(event -> event.tree().text("involvedObject", "name").equals(about.name()))
        .map(event -> event.tree().text("reason"))
        .toList();
  }

  private void answer(Workload variant, String state) {
    WorkloadStatus status = variant.status();
    List<CheckState> answers =
        status.admissionChecks().stream()
            .map(check -> check.in(state, "", town.cluster().time().now()))
            .toList();
    town.cluster()
        .patchStatus(Kinds.WORKLOAD, variant.object(), status.withAdmissionChecks(answers).tree());
  }

  private void check(String onFlavors) {
    town.create(
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: AdmissionCheck, metadata: {name: check},
         spec: {controllerName: example.com/people}}
        """);
    ApiObject check = town.cluster().get(Kinds.ADMISSION_CHECK.key("check")).orElseThrow();
    town.cluster()
        .patchStatus(
            Kinds.ADMISSION_CHECK,
            check,
            new Condition("Active", true, "Active", "")
                .in(check.status(), town.cluster().time().now()));
    queue(
        "TryPreferredFlavors",
        2,
        2,
        2,
        "admissionChecksStrategy: {admissionChecks: [{name: check, onFlavors: ["
            + onFlavors
            + "]}]}");
  }

  @Test
  void aJobRunsOnTheBestFlavorThatHasRoom() {
    queue("TryPreferredFlavors", 1, 2, 2, "");
    town.job("j", "q", 2, 300);
    town.pass(10);

    assertThat(runsOn("j")).isEqualTo("fair");
    assertThat(town.podsOf("j")).isEqualTo(2);
    assertThat(town.workload("j").isParent()).isTrue();
    assertThat(town.workload("j").admission()).isEqualTo(variant("j", "fair").admission());
    assertThat(active("j")).containsExactly("good", "fair");
    assertThat(variant("j", "poor").reserved()).isFalse();
    assertThat(variant("j", "good").object().spec().trees("preemptionGates"))
        .hasSize(1)
        .allMatch(gate -> gate.text("name").equals(KueueNames.CONCURRENT_ADMISSION_GATE));
    assertThat(events(town.workload("j").object())).contains("CreatedVariant", "Admitted");
    assertThat(events(variant("j", "poor").object())).contains("DeactivatedVariant");
  }

  @Test
  void aJobMovesToABetterFlavorWhenThatHasRoom() {
    queue("TryPreferredFlavors", 0, 0, 2, "");
    town.job("j", "q", 2, 300);
    town.pass(10);
    assertThat(runsOn("j")).isEqualTo("poor");

    grow(2, 0, 2);
    town.pass(20);

    assertThat(runsOn("j")).isEqualTo("good");
    assertThat(active("j")).containsExactly("good");
    assertThat(variant("j", "poor").reserved()).isFalse();
    assertThat(town.workload("j").status().evictions("FlavorMigration", "")).isEqualTo(1);
    assertThat(events(variant("j", "poor").object())).contains("EvictedDueToFlavorMigration");
    town.pass(400);
    assertThat(town.state("j")).isEqualTo("Complete");
    assertThat(variant("j", "good").finished()).isTrue();
    assertThat(variant("j", "poor").finished()).isTrue();
  }

  @Test
  void aJobStaysWhereItWasFirstAdmittedIfTheQueueSaysSo() {
    queue("RetainFirstAdmission", 0, 0, 2, "");
    town.job("j", "q", 2, 300);
    town.pass(10);
    assertThat(active("j")).containsExactly("poor");

    grow(2, 2, 2);
    town.pass(20);

    assertThat(runsOn("j")).isEqualTo("poor");
    assertThat(active("j")).containsExactly("poor");
  }

  @Test
  void aJobMovesOnlyToFlavorsThatAreWorthIt() {
    queue("TryPreferredFlavors, constraints: {lastAcceptableFlavorName: good}", 0, 0, 2, "");
    town.job("j", "q", 2, 300);
    town.pass(10);
    assertThat(active("j")).containsExactly("good", "poor");

    grow(0, 2, 2);
    town.pass(20);
    assertThat(runsOn("j")).isEqualTo("poor");

    grow(2, 2, 2);
    town.pass(20);
    assertThat(runsOn("j")).isEqualTo("good");
  }

  @Test
  void onlyTheBestVariantEvictsOthersUntilItsTimeIsOver() {
    town.create(
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: high},
         value: 100}
        """);
    queue("RetainFirstAdmission", 2, 2, 0, "preemption: {withinClusterQueue: LowerPriority}");
    town.job("low-a", "q", 2, 900);
    town.pass(5);
    town.job("low-b", "q", 2, 900);
    town.pass(5);
    assertThat(List.of(runsOn("low-a"), runsOn("low-b"))).containsExactly("good", "fair");

    town.job("high", "q", 2, 100, QueueScenario.priority("high"), "");
    town.pass(30);

    assertThat(runsOn("high")).isEqualTo("good");
    assertThat(runsOn("low-b")).isEqualTo("fair");
    assertThat(runsOn("low-a")).isEmpty();
    assertThat(events(variant("high", "good").object())).contains("PreemptionUngatedVariant");
    assertThat(events(variant("high", "fair").object())).doesNotContain("PreemptionUngatedVariant");
    town.pass(200);
    assertThat(runsOn("low-a")).isEqualTo("good");
  }

  @Test
  void checksOfSeveralFlavorsAreDoneSideBySideAndTheJobMovesOnceABetterOneIsReady() {
    check("good, fair");
    town.job("j", "q", 2, 900);
    town.pass(10);
    assertThat(runsOn("j")).isEqualTo("poor");
    assertThat(variant("j", "good").reserved()).isTrue();

    town.pass(60);
    assertThat(runsOn("j")).isEqualTo("poor");
    answer(variant("j", "good"), CheckState.READY);
    town.pass(20);

    assertThat(runsOn("j")).isEqualTo("good");
    assertThat(active("j")).containsExactly("good");
    assertThat(variant("j", "fair").reserved()).isFalse();
    assertThat(town.workload("j").status().admissionChecks())
        .allMatch(CheckState::ready)
        .hasSize(1);
  }

  @Test
  void aFlavorWhoseCheckSaysNoIsOutAndTheJobWithTheLast() {
    check("");
    town.job("j", "q", 2, 900);
    town.pass(5);
    answer(variant("j", "good"), CheckState.REJECTED);
    town.pass(5);
    assertThat(active("j")).containsExactly("fair", "poor");

    answer(variant("j", "fair"), CheckState.REJECTED);
    answer(variant("j", "poor"), CheckState.REJECTED);
    town.pass(10);

    assertThat(town.workload("j").active()).isFalse();
    assertThat(town.workload("j").status().reason(WorkloadStatus.EVICTED))
        .isEqualTo("DeactivatedDueToAdmissionCheck");
  }

  @Test
  void switchingTheWorkloadOffStopsAllAndOnBeginsAnew() {
    queue("TryPreferredFlavors", 0, 2, 2, "");
    town.job("j", "q", 2, 900);
    town.pass(10);
    String name = town.workload("j").object().name();

    town.updateSpec("Workload", name, "active: false");
    town.pass(10);
    assertThat(runsOn("j")).isEmpty();
    assertThat(active("j")).isEmpty();
    assertThat(variant("j", "fair").reserved()).isFalse();

    town.updateSpec("Workload", name, "active: true");
    town.pass(10);
    assertThat(runsOn("j")).isEqualTo("fair");
  }

  @Test
  void deletedVariantOfARunningJobStopsTheJobFirst() {
    queue("TryPreferredFlavors", 0, 2, 2, "");
    town.job("j", "q", 2, 900);
    town.pass(10);
    String uid = variant("j", "fair").object().uid();

    town.delete("Workload", variant("j", "fair").object().name());
    town.pass(20);

    assertThat(runsOn("j")).isNotEmpty();
    assertThat(variant("j", "fair").object().uid()).isNotEqualTo(uid);
    assertThat(town.workload("j").status().evictions("VariantEvicted", "")).isEqualTo(1);
  }

  @Test
  void variantsGoWithTheirJob() {
    queue("TryPreferredFlavors", 0, 2, 2, "");
    town.job("j", "q", 2, 900);
    town.pass(10);

    ApiObject job = town.cluster().get(Kinds.JOB.key("default", "j")).orElseThrow();
    town.cluster().delete(Kinds.JOB, job, Deletion.BACKGROUND);
    town.pass(20);

    assertThat(town.cluster().list(Kinds.WORKLOAD)).isEmpty();
  }

  @Test
  void aFlavorThatComesGetsAVariantAndOneThatGoesLosesIt() {
    queue("TryPreferredFlavors", 0, 0, 2, "");
    town.job("j", "q", 2, 900);
    town.pass(10);

    town.updateSpec(
        "ClusterQueue",
        "q",
        """
        resourceGroups: [{coveredResources: [cpu], flavors: [
         {name: f, resources: [{name: cpu, nominalQuota: 0}]},
         {name: fair, resources: [{name: cpu, nominalQuota: 2}]}]}]
        """);
    town.pass(30);

    assertThat(town.cluster().list(Kinds.WORKLOAD).stream().map(Workload::new).toList())
        .filteredOn(one -> one.parent().isPresent())
        .extracting(Workload::allowedFlavor)
        .containsExactlyInAnyOrder("f", "fair");
    assertThat(runsOn("j")).isEqualTo("fair");
  }
}
