package dev.sluice.controllers.configuration.scheduler;

import static dev.sluice.controllers.configuration.scheduler.SchedulerFiles.arguments;
import static dev.sluice.controllers.configuration.scheduler.SchedulerFiles.plugins;
import static dev.sluice.controllers.configuration.scheduler.SchedulerFiles.read;
import static dev.sluice.controllers.configuration.scheduler.SchedulerFiles.strategy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.controllers.configuration.file.InvalidConfigurationException;
import dev.sluice.engine.scheduling.framework.Profile;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The warnings and errors of kube-scheduler's file. */
class SchedulerConfigurationProblemsTest {

  /** A file and its warnings or errors. */
  record Case(String yaml, List<String> want) {
    Case(String yaml, String... want) {
      this(yaml, List.of(want));
    }

    @Override
    public String toString() {
      return yaml;
    }
  }

  static final List<Case> WARNINGS =
      List.of(
          new Case("parallelism: 4", "parallelism: has no effect: Sluice decides on one thread"),
          new Case(
              "leaderElection: {resourceNames: mine}",
              "leaderElection.resourceNames: has no effect: there is no such field; did you mean"
                  + " resourceName?"),
          new Case(
              plugins("reserve: {enabled: [{name: DynamicResources}]}"),
              "profiles[0].plugins.reserve.enabled: has no effect on the order at reserve, which is"
                  + " always VolumeBinding, DynamicResources"),
          new Case(
              plugins(
                  "multiPoint: {disabled: [{name: DynamicResources}], enabled: [{name:"
                      + " DynamicResources}]}"),
              "profiles[0].plugins.multiPoint.enabled: has no effect on the order at postFilter,"
                  + " which is always DynamicResources, DefaultPreemption"),
          new Case(
              plugins("multiPoint: {enabled: [{name: DynamicResources}, {name: VolumeBinding}]}")),
          new Case(
              plugins(
                  "reserve: {disabled: [{name: '*'}], enabled: [{name: VolumeBinding}, {name:"
                      + " DynamicResources}]}")),
          new Case(
              plugins(
                  "filter: {disabled: [{name: '*'}], enabled: [{name: VolumeBinding}, {name:"
                      + " NodePorts}, {name: NodeName}, {name: DynamicResources}]}")),
          new Case(
              "clientConnection: {kubeconfig: /k}",
              "clientConnection: has no effect: say it with --kubeconfig, or in Kueue's"
                  + " Configuration, which --config names"),
          new Case(
              "enableProfiling: true\ndelayCacheUntilActive: true",
              "enableProfiling: has no effect: Sluice serves no pprof; use a profiler for Java",
              "delayCacheUntilActive: has no effect: a manager that waits knows all pods too"),
          new Case(
              "podInitialBackofSeconds: 2",
              "podInitialBackofSeconds: has no effect: there is no such field; did you mean"
                  + " podInitialBackoffSeconds?"),
          new Case(
              plugins("filter: {disabled: [{name: VolumeBinding}]}"),
              "profiles[0].plugins.filter.disabled: has no effect on VolumeBinding, which stays"
                  + " on"),
          new Case(
              plugins("bind: {disabled: [{name: '*'}]}"),
              "profiles[0].plugins.bind.disabled: has no effect on DefaultBinder, which stays on"),
          new Case(
              plugins("preFilter: {disabled: [{name: NodePorts}]}"),
              "profiles[0].plugins.preFilter.disabled: has no effect on NodePorts, which stays on"),
          new Case(
              plugins(
                  "preFilter: {disabled: [{name: NodePorts}]}, filter: {disabled: [{name:"
                      + " NodePorts}]}")),
          new Case(
              plugins("score: {disabled: [{name: Gang}]}"),
              "profiles[0].plugins.score.disabled[0].name: has no effect: there is no plugin"
                  + " \"Gang\""),
          new Case(
              plugins("score: {enabled: [{name: DynamicResources, weight: 2}]}"),
              "profiles[0].plugins.score.enabled[0].name: has no effect: Sluice does not have"
                  + " DynamicResources there"),
          new Case(
              plugins("filter: {enabled: [{name: NodePorts, weight: 2}]}"),
              "profiles[0].plugins.filter.enabled[0].weight: has no effect: only scores have"
                  + " weights"),
          new Case(
              arguments("VolumeBinding", "bindTimeoutSeconds: 5"),
              "profiles[0].pluginConfig[0].args.bindTimeoutSeconds: has no effect: Sluice waits 10"
                  + " minutes for volumes"),
          new Case(
              arguments("NodeResourcesFits", ""),
              "profiles[0].pluginConfig[0].name: has no effect: there is no plugin"
                  + " \"NodeResourcesFits\"; did you mean NodeResourcesFit?"),
          new Case(
              "profiles: [{plugins: {multiPoint: {disabled: [{name: InterPodAffinity}]}},"
                  + " pluginConfig: [{name: InterPodAffinity, args: {hardPodAffinityWeight: 9}}]}]",
              "profiles[0].pluginConfig[0].name: has no effect: InterPodAffinity is switched off"),
          new Case(
              arguments("InterPodAffinity", "hardAffinityWeight: 9"),
              "profiles[0].pluginConfig[0].args.hardAffinityWeight: has no effect: there is no such"
                  + " field; did you mean hardPodAffinityWeight?"));

  @ParameterizedTest
  @FieldSource("WARNINGS")
  void fieldWithoutEffectCausesAWarning(Case c) {
    assertThat(read(c.yaml()).warnings()).containsExactlyInAnyOrderElementsOf(c.want());
  }

  @Test
  void mandatoryPluginsStayEnabled() {
    var loaded = read(plugins("multiPoint: {disabled: [{name: '*'}]}"));
    Profile profile = loaded.configuration().profiles().getFirst();

    assertThat(profile.filters()).isEmpty();
    assertThat(profile.weights()).isEmpty();
    assertThat(profile.preemption().enabled()).isFalse();
    assertThat(loaded.warnings())
        .map(line -> line.replaceAll(".* on (\\w+), which stays on", "$1"))
        .containsExactlyInAnyOrder(
            "DefaultBinder",
            "DynamicResources",
            "NodeName",
            "PrioritySort",
            "SchedulingGates",
            "VolumeBinding");
  }

  static final List<Case> PROBLEMS =
      List.of(
          new Case(
              "percentageOfNodesToScore: 101",
              "percentageOfNodesToScore: 101 is not a whole number from 0 to 100"),
          new Case(
              "podInitialBackoffSeconds: 0",
              "podInitialBackoffSeconds: 0 is not a whole number from 1 to 2147483647"),
          new Case(
              "podInitialBackoffSeconds: 20",
              "podMaxBackoffSeconds: 10 is less than podInitialBackoffSeconds, which is 20"),
          new Case(
              "extenders: [{urlPrefix: 'http://x'}]",
              "extenders: Sluice asks no extenders; take them out, or leave their pods to"
                  + " kube-scheduler"),
          new Case(
              "profiles: [{schedulerName: a}, {schedulerName: a}]",
              "profiles[1].schedulerName: \"a\" is the name of two profiles"),
          new Case(
              "profiles: [{schedulerName: a}, {}]",
              "profiles[1].schedulerName: is missing; pods choose among several profiles by it"),
          new Case(
              plugins("multiPoint: {enabled: [{name: Coscheduling}]}"),
              "profiles[0].plugins.multiPoint.enabled[0].name: there is no plugin"
                  + " \"Coscheduling\", and pods must not be bound without it; take it out if they"
                  + " may be"),
          new Case(
              plugins("score: {enabled: [{name: NodePorts}]}"),
              "profiles[0].plugins.score.enabled[0].name: \"NodePorts\" does nothing at score"),
          new Case(
              plugins("score: {enabled: [{name: NodeAffinity, weight: -1}]}"),
              "profiles[0].plugins.score.enabled[0].weight: -1 is not a whole number from 0 to"
                  + " 1000000"),
          new Case(
              plugins("filter: {enabled: [{name: NodePorts}, {name: NodePorts}]}"),
              "profiles[0].plugins.filter.enabled[1].name: \"NodePorts\" is enabled twice"),
          new Case(
              "profiles: [{pluginConfig: [{name: NodeAffinity}, {name: NodeAffinity}]}]",
              "profiles[0].pluginConfig[1].name: \"NodeAffinity\" is configured twice"),
          new Case(
              arguments("NodeAffinity", "kind: NodeResourcesFitArgs"),
              "profiles[0].pluginConfig[0].args.kind: \"NodeResourcesFitArgs\" is not"
                  + " NodeAffinityArgs"),
          new Case(
              strategy("type: Best"),
              "profiles[0].pluginConfig[0].args.scoringStrategy.type: \"Best\" is none of:"
                  + " LeastAllocated, MostAllocated, RequestedToCapacityRatio"),
          new Case(
              strategy("type: MostAllocated, resources: [{name: cpu, weight: 101}]"),
              "profiles[0].pluginConfig[0].args.scoringStrategy.resources[0].weight: 101 is not a"
                  + " whole number from 0 to 100"),
          new Case(
              strategy("type: RequestedToCapacityRatio"),
              "profiles[0].pluginConfig[0].args.scoringStrategy.requestedToCapacityRatio.shape:"
                  + " needs at least one point with utilization and score"),
          new Case(
              strategy(
                  "type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape: [{utilization:"
                      + " 50, score: 11}, {utilization: 50, score: 1}]}"),
              "profiles[0].pluginConfig[0].args.scoringStrategy.requestedToCapacityRatio.shape[0].score:"
                  + " 11 is not a whole number from 0 to 10",
              "profiles[0].pluginConfig[0].args.scoringStrategy.requestedToCapacityRatio.shape[1].utilization:"
                  + " 50 is not above that of the point before"),
          new Case(
              strategy("type: MostAllocated, requestedToCapacityRatio: {}"),
              "profiles[0].pluginConfig[0].args.scoringStrategy.requestedToCapacityRatio: must not"
                  + " be given where the type is MostAllocated"),
          new Case(
              arguments("NodeResourcesFit", "ignoredResourceGroups: [x.io/a]"),
              "profiles[0].pluginConfig[0].args.ignoredResourceGroups: \"x.io/a\" is not the part"
                  + " of a resource's name before the slash"),
          new Case(
              arguments("NodeResourcesBalancedAllocation", "resources: [{name: cpu, weight: 2}]"),
              "profiles[0].pluginConfig[0].args.resources[0].weight: 2 is not a whole number from 0"
                  + " to 1"),
          new Case(
              arguments("InterPodAffinity", "hardPodAffinityWeight: 101"),
              "profiles[0].pluginConfig[0].args.hardPodAffinityWeight: 101 is not a whole number"
                  + " from 0 to 100"),
          new Case(
              arguments(
                  "DefaultPreemption",
                  "minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0"),
              "profiles[0].pluginConfig[0].args.minCandidateNodesPercentage: must not be 0 together"
                  + " with minCandidateNodesAbsolute: no node would be looked at"),
          new Case(
              arguments(
                  "PodTopologySpread",
                  "defaultConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable:"
                      + " DoNotSchedule, labelSelector: {}}]"),
              "profiles[0].pluginConfig[0].args.defaultConstraints[0].labelSelector: must not be"
                  + " given: it is found for each pod",
              "profiles[0].pluginConfig[0].args.defaultingType: must be List where"
                  + " defaultConstraints are given"),
          new Case(
              arguments("PodTopologySpread", "defaultingType: List, defaultConstraints: [{}]"),
              "profiles[0].pluginConfig[0].args.defaultConstraints[0].maxSkew: is missing; it must"
                  + " be at least 1",
              "profiles[0].pluginConfig[0].args.defaultConstraints[0].topologyKey: \"\" is not the"
                  + " key of a label",
              "profiles[0].pluginConfig[0].args.defaultConstraints[0].whenUnsatisfiable: is"
                  + " missing; it is DoNotSchedule or ScheduleAnyway"),
          new Case(
              arguments(
                  "NodeAffinity",
                  "addedAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                      + " {nodeSelectorTerms: []},"
                      + " preferredDuringSchedulingIgnoredDuringExecution: [{weight: 0, preference:"
                      + " {matchExpressions: [{key: k, operator: Gt, values: [x]}]}}]}"),
              "profiles[0].pluginConfig[0].args.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms:"
                  + " is empty; without a term no node would do",
              "profiles[0].pluginConfig[0].args.addedAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight:"
                  + " 0 is not a whole number from 1 to 100",
              "profiles[0].pluginConfig[0].args.addedAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].values:"
                  + " must be one whole number in quotes for the operator Gt"));

  @ParameterizedTest
  @FieldSource("PROBLEMS")
  void invalidFieldIsRefused(Case c) {
    var invalid = catchThrowableOfType(InvalidConfigurationException.class, () -> read(c.yaml()));

    assertThat(invalid.problems()).containsExactlyInAnyOrderElementsOf(c.want());
  }

  static final List<Case> OTHER_FILES =
      List.of(
          new Case("", "has 0 documents; it must have one, of kind KubeSchedulerConfiguration"),
          new Case(
              "kind: Configuration", "kind: \"Configuration\" is not KubeSchedulerConfiguration"),
          new Case(
              "{kind: KubeSchedulerConfiguration, apiVersion: kubescheduler.config.k8s.io/v1beta3}",
              "apiVersion: \"kubescheduler.config.k8s.io/v1beta3\" is not"
                  + " kubescheduler.config.k8s.io/v1"));

  @ParameterizedTest
  @FieldSource("OTHER_FILES")
  void otherFileIsRefused(Case c) {
    var invalid =
        catchThrowableOfType(
            InvalidConfigurationException.class, () -> SchedulerConfigurationFile.read(c.yaml()));

    assertThat(invalid.problems()).isEqualTo(c.want());
  }
}
