package dev.sluice.controllers.configuration;

import static dev.sluice.controllers.configuration.Files.problems;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.controllers.configuration.file.InvalidConfigurationException;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Invalid files and their error messages. */
class InvalidConfigurationTest {
  record Case(String yaml, String want) {
    @Override
    public String toString() {
      return yaml;
    }
  }

  static final List<Case> OTHER_DOCUMENTS =
      List.of(
          new Case("", "has 0 documents; it must have one, of kind Configuration"),
          new Case("a: 1\n---\nb: 2", "has 2 documents; it must have one, of kind Configuration"),
          new Case("[1]", "is not an object with fields such as apiVersion and kind"),
          new Case("kind: Pod", "kind: \"Pod\" is not Configuration"),
          new Case("kind: [x]", "kind: \"\" is not Configuration"),
          new Case(
              "kind: Configuration\napiVersion: v1",
              "apiVersion: \"v1\" is neither config.kueue.x-k8s.io/v1beta1 nor"
                  + " config.kueue.x-k8s.io/v1beta2"),
          new Case(
              "kind: Configuration\nkind: b", "line 2, column 1: the name \"kind\" stands twice"));

  @ParameterizedTest
  @FieldSource("OTHER_DOCUMENTS")
  void otherDocumentIsRefused(Case c) {
    assertThat(problems(c.yaml())).containsExactly(c.want());
  }

  static final List<Case> INVALID =
      List.of(
          new Case("namespace: Batch", "namespace: \"Batch\" is not the name of a namespace"),
          new Case(
              "manageJobsWithoutQueueName: 'yes'",
              "manageJobsWithoutQueueName: \"yes\" is neither true nor false"),
          new Case(
              "managedJobsNamespaceSelector: {matchExpressions: [{key: a, operator: In}]}",
              "managedJobsNamespaceSelector.matchExpressions[0].values: is empty; name at least one"
                  + " value for the operator In"),
          new Case(
              "managedJobsNamespaceSelector: {matchExpressions: [{key: a, operator: Exists, values:"
                  + " [b]}]}",
              "managedJobsNamespaceSelector.matchExpressions[0].values: must not be given for the"
                  + " operator Exists"),
          new Case(
              "managedJobsNamespaceSelector: {matchExpressions: [{key: a, operator: Like, values:"
                  + " [b]}]}",
              "managedJobsNamespaceSelector.matchExpressions[0].operator: \"Like\" is none of: In,"
                  + " NotIn, Exists, DoesNotExist"),
          new Case(
              "managedJobsNamespaceSelector: {matchLabels: {'a b': c}}",
              "managedJobsNamespaceSelector.matchLabels.a b: \"a b\" is not the key of a label"),
          new Case(
              "managedJobsNamespaceSelector: {matchLabels: {a: 'b c'}}",
              "managedJobsNamespaceSelector.matchLabels.a: \"b c\" is not the value of a label"),
          new Case(
              """
              integrations: {frameworks: [pod]}
              managedJobsNamespaceSelector:
                matchExpressions:
                - {key: kubernetes.io/metadata.name, operator: NotIn, values: [kueue-system]}
              """,
              "managedJobsNamespaceSelector: selects the namespace kube-system, whose pods must not"
                  + " wait in a queue; exclude it by its label kubernetes.io/metadata.name"),
          new Case(
              "waitForPodsReady: {timeout: -1s}",
              "waitForPodsReady.timeout: \"-1s\" is not a duration; write it like \"90s\", \"5m\""
                  + " or \"1h30m\", not negative"),
          new Case(
              "waitForPodsReady: {recoveryTimeout: 300}",
              "waitForPodsReady.recoveryTimeout: 300 is not a duration; write it like \"90s\","
                  + " \"5m\" or \"1h30m\", not negative"),
          new Case(
              "waitForPodsReady: {requeuingStrategy: {timestamp: Start}}",
              "waitForPodsReady.requeuingStrategy.timestamp: \"Start\" is none of: Eviction,"
                  + " Creation"),
          new Case(
              "waitForPodsReady: {requeuingStrategy: {backoffLimitCount: -1}}",
              "waitForPodsReady.requeuingStrategy.backoffLimitCount: -1 is not a whole number from"
                  + " 0 to 2147483647"),
          new Case(
              "waitForPodsReady: {requeuingStrategy: {backoffBaseSeconds: 1.5}}",
              "waitForPodsReady.requeuingStrategy.backoffBaseSeconds: 1.5 is not a whole number"
                  + " from 0 to 2147483647"),
          new Case(
              "waitForPodsReady: {requeuingStrategy: {backoffMaxSeconds: 2147483648}}",
              "waitForPodsReady.requeuingStrategy.backoffMaxSeconds: 2147483648 is not a whole"
                  + " number from 0 to 2147483647"),
          new Case(
              "integrations: {frameworks: [batch/job, batch/job]}",
              "integrations.frameworks[1]: \"batch/job\" is named twice; remove one"),
          new Case(
              "integrations: {externalFrameworks: [job]}",
              "integrations.externalFrameworks[0]: \"job\" is not written like Kind.version.group"),
          new Case(
              "integrations: {externalFrameworks: [Job.v1.batch]}",
              "integrations.externalFrameworks[0]: \"Job.v1.batch\" is queued already; remove it"),
          new Case(
              "integrations: {labelKeysToCopy: [a/b/c]}",
              "integrations.labelKeysToCopy: \"a/b/c\" is not the key of a label"),
          new Case(
              "fairSharing: {}",
              "fairSharing.preemptionStrategies: [] is none of: [LessThanOrEqualToFinalShare],"
                  + " [LessThanInitialShare], [LessThanOrEqualToFinalShare, LessThanInitialShare]"),
          new Case(
              "fairSharing: {preemptionStrategies: [LessThanInitialShare,"
                  + " LessThanOrEqualToFinalShare]}",
              "fairSharing.preemptionStrategies: [LessThanInitialShare,"
                  + " LessThanOrEqualToFinalShare] is none of: [LessThanOrEqualToFinalShare],"
                  + " [LessThanInitialShare], [LessThanOrEqualToFinalShare, LessThanInitialShare]"),
          new Case(
              "admissionFairSharing: {usageSamplingInterval: 0s}",
              "admissionFairSharing.usageSamplingInterval: must be longer than 0s"),
          new Case(
              "admissionFairSharing: {resourceWeights: {cpu: -0.5}}",
              "admissionFairSharing.resourceWeights.cpu: -0.5 is no weight; give a number from 0 to"
                  + " 1000000000000 with at most 18 decimals"),
          new Case(
              "admissionFairSharing: {resourceWeights: {cpu: heavy}}",
              "admissionFairSharing.resourceWeights.cpu: \"heavy\" is not a number"),
          new Case(
              "resources: {excludeResourcePrefixes: [x], quotaCheckStrategy: IgnoreUndeclared}",
              "resources.excludeResourcePrefixes: cannot be given together with IgnoreUndeclared;"
                  + " remove one"),
          new Case(
              "resources: {excludeResourcePrefixes: ['']}",
              "resources.excludeResourcePrefixes: an empty prefix would exclude every resource;"
                  + " remove it"),
          new Case(
              "resources: {transformations: [{input: a}, {input: a}]}",
              "resources.transformations[1].input: \"a\" is the input of another transformation"
                  + " too; join them"),
          new Case(
              "resources: {transformations: [{outputs: {x: 1}}]}",
              "resources.transformations[0].input: \"\" is not the name of a resource"),
          new Case(
              "resources: {transformations: [{input: a, outputs: {x: much}}]}",
              "resources.transformations[0].outputs.x: \"much\" is not a quantity of a resource;"
                  + " write it like \"500m\", \"2\" or \"1Gi\""),
          new Case(
              "resources: {transformations: [{input: a, multiplyBy: 'b c'}]}",
              "resources.transformations[0].multiplyBy: \"b c\" is not the name of a resource"),
          new Case(
              "objectRetentionPolicies: {workloads: {afterFinished: never}}",
              "objectRetentionPolicies.workloads.afterFinished: \"never\" is not a duration; write"
                  + " it like \"90s\", \"5m\" or \"1h30m\", not negative"),
          new Case("webhook: {port: 0}", "webhook.port: 0 is not a whole number from 1 to 65535"),
          new Case(
              "metrics: {bindAddress: 8443}",
              "metrics.bindAddress: 8443 is not a text; put it in quotes"),
          new Case(
              "metrics: {bindAddress: ':99999'}",
              "metrics.bindAddress: \":99999\" is not written like :8443 or host:8443, or \"0\" for"
                  + " none"),
          new Case(
              "leaderElection: {leaseDuration: 10s}",
              "leaderElection.leaseDuration: must be longer than renewDeadline"),
          new Case(
              "leaderElection: {retryPeriod: 9s}",
              "leaderElection.retryPeriod: must be positive, and below five sixths of"
                  + " renewDeadline"),
          new Case(
              "leaderElection: {resourceLock: configmaps}",
              "leaderElection.resourceLock: \"configmaps\" is none of: leases"),
          new Case(
              "leaderElection: {resourceName: a_b}",
              "leaderElection.resourceName: \"a_b\" is not a name of Kubernetes"),
          new Case(
              "internalCertManagement: {webhookServiceName: 1a}",
              "internalCertManagement.webhookServiceName: \"1a\" is not the name of a Service"),
          new Case(
              "clientConnection: {qps: 0}",
              "clientConnection.qps: 0 is no rate; give up to 1000000 a second, or a negative"
                  + " number for no limit"),
          new Case(
              "multiKueue: {gcInterval: -1m}",
              "multiKueue.gcInterval: \"-1m\" is not a duration; write it like \"90s\", \"5m\" or"
                  + " \"1h30m\", not negative"),
          new Case(
              "multiKueue: {origin: a b}",
              "multiKueue.origin: \"a b\" is not the value of a label"),
          new Case("featureGates: [a]", "featureGates: [\"a\"] is not an object"),
          new Case(
              "featureGates: {PriorityBoost: on please}",
              "featureGates.PriorityBoost: \"on please\" is neither true nor false"),
          new Case(
              "featureGates: {TopologyAwareScheduling: false, TASProfileMixed: true}",
              "featureGates.TASProfileMixed: true needs TopologyAwareScheduling, which is false"),
          new Case(
              "featureGates: {ElasticJobsViaWorkloadSlices: false,"
                  + " ElasticJobsViaWorkloadSlicesWithTAS: true}",
              "featureGates.ElasticJobsViaWorkloadSlicesWithTAS: true needs"
                  + " ElasticJobsViaWorkloadSlices, which is false"));

  @ParameterizedTest
  @FieldSource("INVALID")
  void problemNamesFieldValueAndCorrection(Case c) {
    assertThat(problems(Files.v1beta2(c.yaml()))).containsExactly(c.want());
  }

  @Test
  void unknownFrameworkGetsASuggestion() {
    assertThat(problems(Files.v1beta2("integrations: {frameworks: [batch/jobs]}")))
        .singleElement()
        .asString()
        .startsWith(
            "integrations.frameworks[0]: \"batch/jobs\" is no framework; did you mean batch/job?;"
                + " there are: batch/job, deployment, ");
  }

  @Test
  void gatesInFileAndFlagAreRefused() {
    var gates = new TreeMap<String, Boolean>();
    gates.put("PartialAdmission", false);

    assertThatThrownBy(() ->
            ConfigurationFile.read(Files.v1beta2("featureGates: {PriorityBoost: true}"), gates))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage(
            "featureGates: cannot be given together with --feature-gates; move them to one place");
  }

  @Test
  void allProblemsAreReportedTogether() {
    assertThat(
            problems(
                Files.v1beta2(
                    """
                    namespace: [a]
                    waitForPodsReady: 5
                    integrations: {frameworks: pod}
                    webhook: {port: http}
                    """)))
        .containsExactly(
            "namespace: [\"a\"] is not a text; put it in quotes",
            "integrations.frameworks: \"pod\" is not a list",
            "waitForPodsReady: 5 is not an object",
            "webhook.port: \"http\" is not a whole number from 1 to 65535");
  }
}
