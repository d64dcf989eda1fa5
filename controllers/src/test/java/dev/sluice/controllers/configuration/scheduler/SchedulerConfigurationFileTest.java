package dev.sluice.controllers.configuration.scheduler;

import static dev.sluice.controllers.configuration.scheduler.SchedulerFiles.arguments;
import static dev.sluice.controllers.configuration.scheduler.SchedulerFiles.plugins;
import static dev.sluice.controllers.configuration.scheduler.SchedulerFiles.read;
import static dev.sluice.controllers.configuration.scheduler.SchedulerFiles.strategy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.ManagerSettings.LeaderElection;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.engine.scheduling.framework.Profile.AddedAffinity;
import dev.sluice.engine.scheduling.framework.Profile.AffinityRules;
import dev.sluice.engine.scheduling.framework.Profile.FitRules;
import dev.sluice.engine.scheduling.framework.Profile.PreemptionRules;
import dev.sluice.engine.scheduling.framework.Profile.SpreadRules;
import dev.sluice.engine.scheduling.framework.ResourceScoring;
import dev.sluice.engine.scheduling.framework.ResourceScoring.ResourceWeight;
import dev.sluice.engine.scheduling.framework.ResourceScoring.ShapePoint;
import dev.sluice.engine.scheduling.framework.ResourceScoring.Strategy;
import dev.sluice.engine.scheduling.queue.PodBackoff;
import dev.sluice.model.core.pod.SpreadConstraint;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The meaning of the fields of kube-scheduler's file. */
class SchedulerConfigurationFileTest {
  record Case(String name, String yaml, Function<Profile, Object> part, Object want) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static int weight(Profile profile, Plugin plugin) {
    return profile.weights().getOrDefault(plugin, 0);
  }

  private static Object weightWords(Profile profile) {
    return profile.weights().entrySet().stream()
        .map(entry -> entry.getKey().word() + "=" + entry.getValue())
        .toList();
  }

  private static final List<String> DEFAULT_WEIGHTS =
      List.of(
          "ImageLocality=1",
          "InterPodAffinity=2",
          "NodeAffinity=2",
          "NodeResourcesBalancedAllocation=1",
          "NodeResourcesFit=1",
          "PodTopologySpread=2",
          "TaintToleration=3");

  private static FitRules fit(ResourceScoring scoring) {
    return new FitRules(scoring, new TreeSet<>(), new TreeSet<>());
  }

  static final List<Case> CASES =
      List.of(
          new Case(
              "no profile", "", profile -> profile, Profile.DEFAULT.named("default-scheduler")),
          new Case(
              "an empty profile",
              "profiles: [{}]",
              profile -> profile,
              Profile.DEFAULT.named("default-scheduler")),
          new Case(
              "a name", "profiles: [{schedulerName: batch}]", Profile::names, List.of("batch")),
          new Case(
              "nodes of all profiles", "percentageOfNodesToScore: 30", Profile::percentOfNodes, 30),
          new Case(
              "nodes of one profile",
              "percentageOfNodesToScore: 30\nprofiles: [{percentageOfNodesToScore: 100}]",
              Profile::percentOfNodes,
              100),
          new Case(
              "a filter less",
              plugins("filter: {disabled: [{name: NodePorts}]}"),
              profile -> List.of(profile.filters().size(), weightWords(profile)),
              List.of(Profile.FILTERS.size() - 1, DEFAULT_WEIGHTS)),
          new Case(
              "one score with another weight",
              plugins(
                  "score: {disabled: [{name: '*'}], enabled: [{name: NodeResourcesFit, weight:"
                      + " 7}]}"),
              SchedulerConfigurationFileTest::weightWords,
              List.of("NodeResourcesFit=7")),
          new Case(
              "without a weight it is 1",
              plugins("score: {enabled: [{name: TaintToleration}]}"),
              profile -> weight(profile, Plugin.TAINT_TOLERATION),
              1),
          new Case(
              "a weight for all points",
              plugins("multiPoint: {enabled: [{name: NodeAffinity, weight: 9}]}"),
              profile -> weight(profile, Plugin.NODE_AFFINITY),
              9),
          new Case(
              "a point wins over all points",
              plugins(
                  "multiPoint: {enabled: [{name: NodeAffinity, weight: 9}]}, score: {enabled:"
                      + " [{name: NodeAffinity, weight: 4}]}"),
              profile -> weight(profile, Plugin.NODE_AFFINITY),
              4),
          new Case(
              "off at all points but one",
              plugins(
                  "multiPoint: {disabled: [{name: NodeAffinity}]}, filter: {enabled: [{name:"
                      + " NodeAffinity}]}"),
              profile ->
                  List.of(
                      profile.filters().contains(Plugin.NODE_AFFINITY),
                      profile.weights().containsKey(Plugin.NODE_AFFINITY)),
              List.of(true, false)),
          new Case(
              "no pod is preempted",
              plugins("postFilter: {disabled: [{name: '*'}]}"),
              Profile::preemption,
              new PreemptionRules(false, 10, 100)),
          new Case(
              "most allocated",
              strategy("type: MostAllocated"),
              Profile::fit,
              fit(
                  new ResourceScoring(
                      Strategy.MOST_ALLOCATED, ResourceScoring.USUAL_RESOURCES, List.of()))),
          new Case(
              "a ratio with a shape and weights",
              strategy(
                  "type: RequestedToCapacityRatio, resources: [{name: x.io/gpu, weight: 5}, {name:"
                      + " cpu}], requestedToCapacityRatio: {shape: [{utilization: 0, score: 0},"
                      + " {utilization: 100, score: 10}]}"),
              Profile::fit,
              fit(
                  new ResourceScoring(
                      Strategy.REQUESTED_TO_CAPACITY_RATIO,
                      List.of(new ResourceWeight("x.io/gpu", 5), new ResourceWeight("cpu", 1)),
                      List.of(new ShapePoint(0, 0), new ShapePoint(100, 10))))),
          new Case(
              "ignored resources",
              arguments(
                  "NodeResourcesFit", "ignoredResources: [x.io/a], ignoredResourceGroups: [y.io]"),
              Profile::fit,
              new FitRules(
                  ResourceScoring.DEFAULT,
                  new TreeSet<>(List.of("x.io/a")),
                  new TreeSet<>(List.of("y.io")))),
          new Case(
              "balanced resources",
              arguments(
                  "NodeResourcesBalancedAllocation",
                  "resources: [{name: cpu, weight: 1}, {name: x.io/gpu}]"),
              Profile::balanced,
              List.of("cpu", "x.io/gpu")),
          new Case(
              "spread by a list",
              arguments(
                  "PodTopologySpread",
                  "defaultingType: List, defaultConstraints: [{maxSkew: 2, topologyKey: zone,"
                      + " whenUnsatisfiable: ScheduleAnyway}]"),
              Profile::spread,
              new SpreadRules(
                  false,
                  List.of(
                      new SpreadConstraint(
                          "zone", 2, false, 1, true, false, Tree.EMPTY, List.of())))),
          new Case(
              "not spread",
              arguments("PodTopologySpread", "defaultingType: List"),
              Profile::spread,
              new SpreadRules(false, List.of())),
          new Case(
              "spread as always",
              arguments("PodTopologySpread", "defaultingType: System"),
              Profile::spread,
              SpreadRules.DEFAULT),
          new Case(
              "affinity to pods",
              arguments(
                  "InterPodAffinity",
                  "hardPodAffinityWeight: 0, ignorePreferredTermsOfExistingPods: true"),
              Profile::affinity,
              new AffinityRules(0, true)),
          new Case(
              "affinity to nodes for all",
              arguments(
                  "NodeAffinity",
                  "addedAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                      + " {nodeSelectorTerms: [{matchExpressions: [{key: pool, operator:"
                      + " Exists}]}]}, preferredDuringSchedulingIgnoredDuringExecution: [{weight:"
                      + " 5, preference: {matchExpressions: [{key: rank, operator: Gt, values:"
                      + " ['7']}]}}]}"),
              profile -> summary(profile.added()),
              List.of(true, 1, 5L)),
          new Case(
              "candidates for preemption",
              arguments(
                  "DefaultPreemption",
                  "apiVersion: kubescheduler.config.k8s.io/v1, kind: DefaultPreemptionArgs,"
                      + " minCandidateNodesPercentage: 50, minCandidateNodesAbsolute: 5"),
              Profile::preemption,
              new PreemptionRules(true, 50, 5)));

  private static List<Object> summary(AddedAffinity added) {
    return List.of(
        added.required().restricted(),
        added.required().anyOf().size(),
        added.preferred().getFirst().weight());
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void fieldSetsTheProfile(Case c) {
    SchedulerConfigurationFile.Loaded loaded = read(c.yaml());

    assertThat(c.part().apply(loaded.configuration().profiles().getFirst())).isEqualTo(c.want());
    assertThat(loaded.warnings()).isEmpty();
  }

  @Test
  void severalProfilesAndABackoffAreRead() {
    SchedulerConfiguration read =
        read("""
        podInitialBackoffSeconds: 3
        podMaxBackoffSeconds: 60
        profiles:
        - {schedulerName: default-scheduler}
        - schedulerName: packing
          pluginConfig:
          - {name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated}}}
        """)
            .configuration();

    assertThat(read.names()).containsExactly("default-scheduler", "packing");
    assertThat(read.profiles())
        .map(profile -> profile.fit().scoring().strategy())
        .containsExactly(Strategy.LEAST_ALLOCATED, Strategy.MOST_ALLOCATED);
    assertThat(read.backoff())
        .isEqualTo(new PodBackoff(Duration.ofSeconds(3), Duration.ofSeconds(60)));
  }

  @Test
  void leaderElectionIsRead() {
    assertThat(read("parallelism: 2").election()).isEmpty();
    assertThat(read("leaderElection: {leaderElect: false}").election().orElseThrow().enabled())
        .isFalse();

    LeaderElection named =
        read("leaderElection: {resourceName: batch, leaseDuration: 30s}").election().orElseThrow();
    assertThat(named.lease()).isEqualTo("batch");
    assertThat(named.namespace()).isEqualTo("kueue-system");
    assertThat(named.leaseDuration()).isEqualTo(Duration.ofSeconds(30));
  }
}
