package dev.sluice.controllers.configuration;

import static dev.sluice.controllers.configuration.Files.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration.FairSharing.Strategy;
import dev.sluice.controllers.configuration.Configuration.Retention;
import dev.sluice.controllers.configuration.Configuration.WaitForPodsReady;
import dev.sluice.controllers.configuration.ConfigurationFile.Loaded;
import dev.sluice.controllers.configuration.file.SelectorSection;
import dev.sluice.engine.requests.Transformation;
import dev.sluice.model.Quantities;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The meaning of the fields that decisions depend on. */
class ConfigurationFileTest {

  record Case(String name, String yaml, Function<Configuration, Object> field, Object want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> V1BETA2 =
      List.of(
          new Case("namespace", "", Configuration::namespace, "kueue-system"),
          new Case("own namespace", "namespace: batch", Configuration::namespace, "batch"),
          new Case("only with queue", "", Configuration::manageJobsWithoutQueueName, false),
          new Case(
              "also without queue",
              "manageJobsWithoutQueueName: true",
              Configuration::manageJobsWithoutQueueName,
              true),
          new Case(
              "all namespaces but two",
              "",
              Configuration::managedJobsNamespaceSelector,
              SelectorSection.allNamespacesBut("kube-system", "kueue-system")),
          new Case(
              "all namespaces but the own",
              "namespace: batch",
              Configuration::managedJobsNamespaceSelector,
              SelectorSection.allNamespacesBut("kube-system", "batch")),
          new Case(
              "some namespaces",
              "managedJobsNamespaceSelector: {matchLabels: {team: a}}",
              Configuration::managedJobsNamespaceSelector,
              Tree.of("matchLabels", Tree.of("team", "a"))),
          new Case(
              "waiting for pods is on",
              "",
              Configuration::waitForPodsReady,
              Optional.of(WaitForPodsReady.DEFAULT)),
          new Case(
              "null is as if not given",
              "waitForPodsReady: null",
              Configuration::waitForPodsReady,
              Optional.of(WaitForPodsReady.DEFAULT)),
          new Case(
              "no timeout is the usual one",
              "waitForPodsReady: {timeout: 0s}",
              Configuration::waitForPodsReady,
              Optional.of(WaitForPodsReady.DEFAULT)),
          new Case(
              "recovery takes the timeout",
              "waitForPodsReady: {timeout: 10m}",
              c -> c.waitForPodsReady().orElseThrow().recoveryTimeout(),
              Optional.of(Duration.ofMinutes(10))),
          new Case(
              "everything about waiting",
              """
              waitForPodsReady:
                timeout: 1h30m
                blockAdmission: true
                recoveryTimeout: 0s
                requeuingStrategy:
                  timestamp: Creation
                  backoffLimitCount: 0
                  backoffBaseSeconds: 5
                  backoffMaxSeconds: 7
              """,
              Configuration::waitForPodsReady,
              Optional.of(
                  new WaitForPodsReady(
                      Duration.ofMinutes(90),
                      true,
                      Optional.empty(),
                      false,
                      OptionalInt.of(0),
                      Duration.ofSeconds(5),
                      Duration.ofSeconds(7)))),
          new Case(
              "waiting switched off",
              "featureGates: {DisableWaitForPodsReady: true}",
              Configuration::waitForPodsReady,
              Optional.empty()),
          new Case("frameworks", "", c -> List.copyOf(c.frameworks()), List.of("batch/job")),
          new Case(
              "no frameworks",
              "integrations: {frameworks: []}",
              c -> List.copyOf(c.frameworks()),
              List.of("batch/job")),
          new Case(
              "own frameworks",
              "integrations: {frameworks: [pod, batch/job]}",
              c -> List.copyOf(c.frameworks()),
              List.of("batch/job", "pod")),
          new Case(
              "external frameworks",
              "integrations: {externalFrameworks: [Foo.v1.example.com]}",
              Configuration::externalFrameworks,
              List.of("Foo.v1.example.com")),
          new Case("no labels", "", Configuration::labelKeysToCopy, List.of()),
          new Case(
              "labels",
              "integrations: {labelKeysToCopy: [team, example.com/cost]}",
              Configuration::labelKeysToCopy,
              List.of("team", "example.com/cost")),
          new Case("no fair sharing", "", Configuration::fairSharing, Optional.empty()),
          new Case(
              "fair sharing",
              "fairSharing: {preemptionStrategies: [LessThanInitialShare]}",
              c -> c.fairSharing().orElseThrow().strategies(),
              List.of(Strategy.LESS_THAN_INITIAL_SHARE)),
          new Case(
              "fair sharing by two rules",
              "fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare,"
                  + " LessThanInitialShare]}",
              c -> c.fairSharing().orElseThrow().strategies(),
              List.of(
                  Strategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE, Strategy.LESS_THAN_INITIAL_SHARE)),
          new Case("no usage sharing", "", Configuration::usageSharing, Optional.empty()),
          new Case(
              "usage sharing",
              "admissionFairSharing: {usageHalfLifeTime: 168h}",
              c -> c.usageSharing().orElseThrow(),
              new Configuration.UsageSharing(
                  Duration.ofDays(7), Duration.ofMinutes(5), new TreeMap<>())),
          new Case(
              "usage sharing that forgets at once",
              "admissionFairSharing: {}",
              c -> c.usageSharing().orElseThrow().halfLife(),
              Duration.ZERO),
          new Case(
              "weights",
              "admissionFairSharing: {resourceWeights: {cpu: 2, memory: 0.000000001, gpu: 0}}",
              c -> c.usageSharing().orElseThrow().weights().toString(),
              "{cpu=2, gpu=0, memory=1E-9}"),
          new Case(
              "pods as they are", "", Configuration::resources, Configuration.ResourceRules.NONE),
          new Case(
              "excluded resources",
              "resources: {excludeResourcePrefixes: [example.com/]}",
              c -> c.resources().requests().excludedPrefixes(),
              List.of("example.com/")),
          new Case(
              "undeclared resources are free",
              "resources: {quotaCheckStrategy: IgnoreUndeclared}",
              c -> c.resources().ignoresUndeclared(),
              true),
          new Case(
              "transformations",
              """
              resources:
                transformations:
                - {input: a, outputs: {x: 500m, y: 2}}
                - {input: b, strategy: Replace, multiplyBy: gpu}
              """,
              c -> c.resources().requests().transformations(),
              List.of(
                  new Transformation("a", false, "", Quantities.of(Tree.of("x", "500m", "y", "2"))),
                  new Transformation("b", true, "gpu", Quantities.NONE))),
          new Case("kept forever", "", Configuration::retention, Retention.NONE),
          new Case(
              "kept for some time",
              """
              objectRetentionPolicies:
                workloads: {afterFinished: 1h, afterDeactivatedByKueue: 0s}
              """,
              Configuration::retention,
              new Retention(Optional.of(Duration.ofHours(1)), Optional.of(Duration.ZERO))),
          new Case("gates", "", Configuration::gates, Gate.ON_BY_DEFAULT),
          new Case(
              "a gate opened",
              "featureGates: {PriorityBoost: true}",
              c -> c.has(Gate.PRIORITY_BOOST),
              true),
          new Case(
              "a gate closed",
              "featureGates: {PartialAdmission: false}",
              c -> c.has(Gate.PARTIAL_ADMISSION),
              false));

  @ParameterizedTest
  @FieldSource("V1BETA2")
  void readsV1beta2(Case c) {
    Loaded loaded = read(Files.v1beta2(c.yaml()));

    assertThat(c.field().apply(loaded.configuration())).isEqualTo(c.want());
    assertThat(loaded.warnings()).isEmpty();
  }

  static final List<Case> V1BETA1 =
      List.of(
          new Case("waiting is off", "", Configuration::waitForPodsReady, Optional.empty()),
          new Case(
              "waiting blocks, and for five minutes",
              "waitForPodsReady: {enable: true}",
              Configuration::waitForPodsReady,
              Optional.of(
                  new WaitForPodsReady(
                      Duration.ofMinutes(5),
                      true,
                      Optional.of(Duration.ofMinutes(5)),
                      true,
                      OptionalInt.empty(),
                      Duration.ofMinutes(1),
                      Duration.ofHours(1)))),
          new Case(
              "no time at all",
              "waitForPodsReady: {enable: true, timeout: 0s}",
              c -> c.waitForPodsReady().orElseThrow().timeout(),
              Duration.ZERO),
          new Case(
              "waiting does not block",
              "waitForPodsReady: {enable: true, blockAdmission: false}",
              c -> c.waitForPodsReady().orElseThrow().blockAdmission(),
              false),
          new Case(
              "fair sharing is off",
              "fairSharing: {}",
              Configuration::fairSharing,
              Optional.empty()),
          new Case(
              "fair sharing by two rules",
              "fairSharing: {enable: true}",
              c -> c.fairSharing().orElseThrow().strategies(),
              List.of(
                  Strategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE, Strategy.LESS_THAN_INITIAL_SHARE)),
          new Case(
              "fair sharing by one",
              "fairSharing: {enable: true, preemptionStrategies: [LessThanOrEqualToFinalShare]}",
              c -> c.fairSharing().orElseThrow().strategies(),
              List.of(Strategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE)));

  @ParameterizedTest
  @FieldSource("V1BETA1")
  void readsV1beta1(Case c) {
    Loaded loaded = read(Files.v1beta1(c.yaml()));

    assertThat(c.field().apply(loaded.configuration())).isEqualTo(c.want());
    assertThat(loaded.warnings()).isEmpty();
  }

  @Test
  void missingFileMeansDefaults() {
    Loaded loaded = ConfigurationFile.none(new TreeMap<>(), "kueue-system");

    assertThat(loaded.configuration()).isEqualTo(Configuration.DEFAULT);
    assertThat(loaded.warnings()).isEmpty();
  }

  @Test
  void controlPlaneWithoutAFileQueuesAllKindsThatItServes() {
    Loaded loaded = ConfigurationFile.none(new TreeMap<>(), "kueue-system", Purpose.CONTROL_PLANE);

    assertThat(loaded.configuration().frameworks())
        .containsExactly("batch/job", "jobset.x-k8s.io/jobset", "pod");
  }

  @Test
  void commandLineSetsGates() {
    var gates = new TreeMap<String, Boolean>();
    gates.put("PartialAdmission", false);
    gates.put("PriorityBoost", true);

    Configuration configuration = ConfigurationFile.read(Files.v1beta2(""), gates).configuration();

    assertThat(configuration.has(Gate.PARTIAL_ADMISSION)).isFalse();
    assertThat(configuration.has(Gate.PRIORITY_BOOST)).isTrue();
    assertThat(ConfigurationFile.none(gates, "kueue-system").configuration().gates())
        .isEqualTo(configuration.gates());
  }

  @Test
  void managerMayHaveAnotherNamespace() {
    Loaded loaded =
        ConfigurationFile.read(Files.v1beta2(""), new TreeMap<>(), "batch", Purpose.MANAGER);

    assertThat(loaded.configuration().namespace()).isEqualTo("batch");
    assertThat(loaded.manager().leaderElection().namespace()).isEqualTo("batch");
  }
}
