package dev.sluice.conformance.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.KubernetesBinaries;
import dev.sluice.conformance.RealCluster;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfigurationFile;
import dev.sluice.controllers.scheduling.PodScheduler;
import dev.sluice.model.Kinds;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.LiveDriver;
import dev.sluice.runtime.RealTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * One configuration file with many profiles for kube-scheduler and for ours: under each profile the
 * pods of its scenario get the same nodes or are told the same. No two nodes score alike, since
 * kube-scheduler takes either of them then.
 */
@RequiresKubernetes
@Timeout(180)
class SchedulerProfilesIT {
  /** {@code #} stands for whose profile it is. */
  private static final String FILE =
      """
      apiVersion: kubescheduler.config.k8s.io/v1
      kind: KubeSchedulerConfiguration
      leaderElection: {leaderElect: false}
      clientConnection: {kubeconfig: "KUBECONFIG"}
      profiles:
      - schedulerName: "#-packing"
        pluginConfig:
        - name: NodeResourcesFit
          args:
            scoringStrategy:
              type: MostAllocated
              resources: [{name: cpu, weight: 1}, {name: example.com/gpu, weight: 3}]
      - schedulerName: "#-ratio"
        pluginConfig:
        - name: NodeResourcesFit
          args:
            scoringStrategy:
              type: RequestedToCapacityRatio
              resources: [{name: cpu, weight: 3}, {name: memory, weight: 1}]
              requestedToCapacityRatio:
                shape:
                - {utilization: 0, score: 0}
                - {utilization: 55, score: 10}
                - {utilization: 100, score: 2}
      - schedulerName: "#-wishes"
        plugins:
          score:
            disabled: [{name: NodeResourcesBalancedAllocation}, {name: ImageLocality}]
            enabled: [{name: NodeResourcesFit, weight: 5}, {name: NodeAffinity}]
      - schedulerName: "#-pool"
        pluginConfig:
        - name: NodeAffinity
          args:
            addedAffinity:
              requiredDuringSchedulingIgnoredDuringExecution:
                nodeSelectorTerms:
                - matchExpressions: [{key: pool, operator: In, values: [batch]}]
              preferredDuringSchedulingIgnoredDuringExecution:
              - weight: 10
                preference: {matchExpressions: [{key: disk, operator: Exists}]}
      - schedulerName: "#-even"
        pluginConfig:
        - name: PodTopologySpread
          args:
            defaultingType: List
            defaultConstraints:
            - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}
            - {maxSkew: 1, topologyKey: rack, whenUnsatisfiable: ScheduleAnyway}
      - schedulerName: "#-peaceful"
        plugins: {postFilter: {disabled: [{name: DefaultPreemption}]}}
      - schedulerName: "#-balanced"
        plugins: {score: {disabled: [{name: NodeResourcesFit}]}}
        pluginConfig:
        - name: NodeResourcesBalancedAllocation
          args: {resources: [{name: cpu}, {name: memory}, {name: example.com/gpu}]}
      - schedulerName: "#-lenient"
        plugins: {filter: {disabled: [{name: TaintToleration}, {name: NodeUnschedulable}]}}
        pluginConfig:
        - name: NodeResourcesFit
          args: {ignoredResources: [example.com/gpu], ignoredResourceGroups: [other.com]}
      - schedulerName: "#-company"
        pluginConfig:
        - {name: InterPodAffinity, args: {hardPodAffinityWeight: 100}}
      - schedulerName: "#-aloof"
        pluginConfig:
        - {name: InterPodAffinity, args: {ignorePreferredTermsOfExistingPods: true}}
      - schedulerName: "#-plain"
      """;

  /** What happens under one profile. */
  private record Scenario(String profile, Consumer<SchedulerStage> steps) {}

  private static final String NEAR =
      "affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 20,"
          + " podAffinityTerm: {topologyKey: zone, labelSelector: {matchLabels: {app: p}}}}],"
          + " requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey:"
          + " kubernetes.io/hostname, labelSelector: {matchLabels: {app: friend}}}]}}";

  private static final List<Scenario> SCENARIOS =
      List.of(
          new Scenario(
              "packing",
              stage -> {
                stage.node("a", "cpu: 16, example.com/gpu: 8", "", "");
                stage.node("b", "cpu: 8, example.com/gpu: 8", "", "");
                stage.node("c", "cpu: 6", "", "");
                for (int i = 1; i <= 4; i++) {
                  stage.pod("plain" + i, "cpu: 2, memory: 1Gi", "");
                  stage.pod("gpu" + i, "cpu: 1, example.com/gpu: 3", "");
                }
              }),
          new Scenario(
              "ratio",
              stage -> {
                stage.node("a", "cpu: 7", "", "");
                stage.node("b", "cpu: 13", "", "");
                stage.node("c", "cpu: 32", "", "");
                for (int i = 1; i <= 8; i++) {
                  stage.pod("p" + i, "cpu: %d, memory: %dGi".formatted(1 + i % 3, 1 + i % 5), "");
                }
              }),
          new Scenario(
              "wishes",
              stage -> {
                String wish =
                    "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution:"
                        + " [{weight: 1, preference: {matchExpressions: [{key: disk, operator:"
                        + " Exists}]}}]}}";
                stage.node("a", "cpu: 4", "disk: ssd", "");
                stage.node("b", "cpu: 8", "", "");
                for (int i = 1; i <= 4; i++) {
                  stage.pod("p" + i, "cpu: 1, memory: 8Gi", wish);
                }
              }),
          new Scenario(
              "pool",
              stage -> {
                stage.node("a", "cpu: 32", "", "");
                stage.node("b", "cpu: 8", "pool: batch", "");
                stage.node("c", "cpu: 4", "pool: batch, disk: ssd", "");
                stage.pod("p1", "cpu: 1", "");
                stage.pod("large", "cpu: 6", "");
                stage.pod("too-large", "cpu: 9", "");
                stage.pod("elsewhere", "cpu: 1", "nodeSelector: {kubernetes.io/hostname: a}");
              }),
          new Scenario(
              "even",
              stage -> {
                stage.given(
                    Kinds.SERVICE,
                    "{apiVersion: v1, kind: Service, metadata: {name: s, namespace: default}, spec:"
                        + " {selector: {app: p}, ports: [{port: 1}]}}");
                stage.node("a", "cpu: 32", "zone: x, rack: r1", "");
                stage.node("b", "cpu: 16", "zone: x, rack: r2", "");
                stage.node("c", "cpu: 2", "zone: y, rack: r3", "");
                for (int i = 1; i <= 6; i++) {
                  stage.pod("p" + i, "cpu: 1", "");
                }
                stage.pod("other", "cpu: 1", "");
              }),
          new Scenario(
              "peaceful",
              stage -> {
                stage.node("a", "cpu: 2", "", "");
                stage.pod("low", "cpu: 2", "priorityClassName: low");
                stage.pod("high", "cpu: 2", "priorityClassName: high");
              }),
          new Scenario(
              "balanced",
              stage -> {
                stage.node("a", "cpu: 12, example.com/gpu: 6", "", "");
                stage.node("b", "cpu: 8, example.com/gpu: 8", "", "");
                stage.node("c", "cpu: 32, example.com/gpu: 3", "", "");
                for (int i = 1; i <= 3; i++) {
                  stage.pod("g" + i, "cpu: 2, memory: 7Gi, example.com/gpu: 1", "");
                  stage.pod("p" + i, "cpu: 3, memory: 2Gi", "");
                }
              }),
          new Scenario(
              "lenient",
              stage -> {
                stage.node("a", "cpu: 8", "", "unschedulable: true");
                stage.node("b", "cpu: 4", "", "taints: [{key: k, effect: NoSchedule}]");
                stage.pod("p1", "cpu: 1", "");
                stage.pod("gpu", "cpu: 1, example.com/gpu: 1, other.com/fpga: 1", "");
                stage.pod("missing", "cpu: 1, third.com/x: 1", "");
              }),
          new Scenario("company", SchedulerProfilesIT::meetFriends),
          new Scenario("aloof", SchedulerProfilesIT::meetFriends),
          new Scenario(
              "plain",
              stage -> {
                String disk = "volumes: [{name: v, gcePersistentDisk: {pdName: d}}]";
                stage.node("a", "cpu: 8", "", "");
                stage.pod("first", "cpu: 1", disk);
                stage.pod("second", "cpu: 1", disk);
              }));

  private static void meetFriends(SchedulerStage stage) {
    stage.node("a", "cpu: 32", "zone: x", "");
    stage.node("b", "cpu: 8", "zone: y", "");
    stage.node("c", "cpu: 8", "zone: y", "");
    stage.pod("friend1", "cpu: 1", "nodeSelector: {kubernetes.io/hostname: b}");
    stage.pod("host", "cpu: 1", NEAR);
    stage.pod("p1", "cpu: 1", "");
    stage.pod("friend2", "cpu: 1", "");
  }

  @Test
  void bothSchedulersTellTheSameStoryUnderEveryProfile(@TempDir Path folder) throws IOException {
    try (var kubernetes = RealKubernetes.start(KubernetesBinaries.find().orElseThrow());
        var time = new RealTime();
        var cluster = RealCluster.of(kubernetes.kubeconfig(), time)) {
      String file = FILE.replace("KUBECONFIG", kubernetes.kubeconfig().toString());
      Path theirs = Files.writeString(folder.resolve("config.yaml"), file.replace("#", "theirs"));
      kubernetes.start(RealKubernetes.Part.SCHEDULER, "--config=" + theirs);
      SchedulerStage.priorities(cluster);
      var ours = SchedulerConfigurationFile.read(file.replace("#", "ours"));
      var scheduler = new PodScheduler(cluster, ours.configuration());
      try (var driver = new LiveDriver(cluster, List.of(scheduler))) {
        driver.start();

        assertThat(play(cluster, "ours")).isEqualTo(play(cluster, "theirs"));
      }
    }
  }

  private static String play(Cluster cluster, String whose) {
    var stories = new ArrayList<String>();
    for (Scenario scenario : SCENARIOS) {
      var stage = new SchedulerStage(cluster, whose + "-" + scenario.profile());
      stories.add("# " + scenario.profile());
      scenario.steps().accept(stage);
      stories.addAll(stage.story());
      stage.clear();
    }
    return String.join("\n", stories);
  }
}
