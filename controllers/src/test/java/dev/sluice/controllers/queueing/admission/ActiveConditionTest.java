package dev.sluice.controllers.queueing.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The condition Active: the first reason in Kueue's order, and all problems. */
class ActiveConditionTest {
  private static final String GROUPS =
      "resourceGroups: [{coveredResources: [cpu], flavors: [{name: %s, resources: [{name: cpu,"
          + " nominalQuota: 1}]}]}]";
  private static final String CHECKED =
      ", admissionChecksStrategy: {admissionChecks: [{name: idle}, {name: gone}, {name: ready}]}";

  record Case(String name, String spec, boolean deleted, String reason, String message) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("all is well", groups("plain"), false, "Ready", "Can admit new workloads"),
          new Case("nothing to give", "{}", false, "Ready", "Can admit new workloads"),
          new Case(
              "deleted",
              groups("plain"),
              true,
              "Terminating",
              "Can't admit new workloads: the ClusterQueue is being deleted."),
          new Case(
              "stopped, and more",
              "{stopPolicy: Hold, " + GROUPS.formatted("none") + "}",
              false,
              "Stopped",
              "Can't admit new workloads: is stopped, references missing ResourceFlavor(s): none."),
          new Case(
              "no such flavor",
              groups("none"),
              false,
              "FlavorNotFound",
              "Can't admit new workloads: references missing ResourceFlavor(s): none."),
          new Case(
              "checks",
              "{" + GROUPS.formatted("plain") + CHECKED + "}",
              false,
              "AdmissionCheckNotFound",
              "Can't admit new workloads: references missing AdmissionCheck(s): gone, references"
                  + " inactive AdmissionCheck(s): idle."),
          new Case(
              "an inactive check",
              "{admissionChecksStrategy: {admissionChecks: [{name: idle}]}}",
              false,
              "AdmissionCheckInactive",
              "Can't admit new workloads: references inactive AdmissionCheck(s): idle."),
          new Case(
              "no such topology",
              groups("placed"),
              false,
              "TopologyNotFound",
              "Can't admit new workloads: there is no Topology \"hall\" for TAS flavor"
                  + " \"placed\"."),
          new Case(
              "checks, and no such topology",
              "{" + GROUPS.formatted("placed") + CHECKED + "}",
              false,
              "AdmissionCheckNotFound",
              "Can't admit new workloads: references missing AdmissionCheck(s): gone, references"
                  + " inactive AdmissionCheck(s): idle, there is no Topology \"hall\" for TAS"
                  + " flavor \"placed\"."),
          new Case(
              "a topology that exists", groups("known"), false, "Ready", "Can admit new workloads"),
          new Case(
              "below a circle",
              "{cohortName: below}",
              false,
              "Unknown",
              "Can't admit new workloads: the parents of its cohorts run in a circle:"
                  + " below,one,two."));

  private static String groups(String flavor) {
    return "{" + GROUPS.formatted(flavor) + "}";
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void conditionHasTheFirstReasonAndAllProblems(Case c) {
    var cluster = new FakeCluster(1);
    cluster.create(Kinds.RESOURCE_FLAVOR, ApiObject.of(Kinds.RESOURCE_FLAVOR, "", "plain"));
    flavor(cluster, "placed", "hall");
    flavor(cluster, "known", "racks");
    cluster.create(Kinds.TOPOLOGY, ApiObject.of(Kinds.TOPOLOGY, "", "racks"));
    cohort(cluster, "below", "one");
    cohort(cluster, "one", "two");
    cohort(cluster, "two", "one");
    cluster.create(Kinds.ADMISSION_CHECK, ApiObject.of(Kinds.ADMISSION_CHECK, "", "idle"));
    ApiObject ready =
        cluster.create(Kinds.ADMISSION_CHECK, ApiObject.of(Kinds.ADMISSION_CHECK, "", "ready"));
    cluster.patchStatus(
        Kinds.ADMISSION_CHECK,
        ready,
        new Condition("Active", true, "Ready", "").in(ready.status(), FakeCluster.START));
    ApiObject queue =
        cluster.create(
            Kinds.CLUSTER_QUEUE,
            Worlds.yaml(
                "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: q,"
                    + " finalizers: [a/b]}, spec: "
                    + c.spec()
                    + "}"));
    if (c.deleted()) {
      cluster.delete(Kinds.CLUSTER_QUEUE, queue, Deletion.BACKGROUND);
    }

    Condition active =
        new ActiveCondition(cluster)
            .of(new ClusterQueue(cluster.require(Kinds.CLUSTER_QUEUE.key("q"))));

    assertThat(active)
        .isEqualTo(
            new Condition(
                ClusterQueue.ACTIVE, c.reason().equals("Ready"), c.reason(), c.message()));
  }

  /** The API server would refuse a longer message. */
  @Test
  void messageAboutManyMissingFlavorsIsCut() {
    var cluster = new FakeCluster(1);
    List<Tree> flavors =
        IntStream.range(0, 256)
            .mapToObj(i -> Tree.of("name", "f" + i + "-" + "x".repeat(240)))
            .toList();
    Tree group = Tree.of("coveredResources", List.of("cpu"), "flavors", flavors);
    ApiObject queue =
        ApiObject.of(Kinds.CLUSTER_QUEUE, "", "q")
            .withSpec(Tree.of("resourceGroups", List.of(group)));

    Condition active = new ActiveCondition(cluster).of(new ClusterQueue(queue));

    assertThat(active.reason()).isEqualTo("FlavorNotFound");
    assertThat(active.message().length()).isLessThanOrEqualTo(32_768);
    assertThat(active.message()).contains("f0-", "f99-");
  }

  private static void flavor(FakeCluster cluster, String name, String topology) {
    cluster.create(
        Kinds.RESOURCE_FLAVOR,
        ApiObject.of(Kinds.RESOURCE_FLAVOR, "", name).withSpec(Tree.of("topologyName", topology)));
  }

  private static void cohort(FakeCluster cluster, String name, String parent) {
    cluster.create(
        Kinds.COHORT,
        Worlds.yaml(
            "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: %s}, spec: {parentName: %s}}"
                .formatted(name, parent)));
  }
}
