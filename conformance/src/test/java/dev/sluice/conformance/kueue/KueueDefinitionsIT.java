package dev.sluice.conformance.kueue;

import static dev.sluice.model.kueue.KueueConversion.V1BETA1;
import static dev.sluice.model.kueue.KueueConversion.V1BETA2;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.kueue.KueueConversion;
import dev.sluice.model.kueue.KueueDefinitions;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Our definitions of Kueue's kinds, as a real API server takes them, and ours. */
@RequiresKubernetes
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KueueDefinitionsIT {

  /** What the server makes of an object that says little. */
  record Default(String name, String kind, String given, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Default> DEFAULTS =
      List.of(
          new Default(
              "an empty ClusterQueue",
              "ClusterQueue",
              "spec: {}",
              """
              spec:
                queueingStrategy: BestEffortFIFO
                stopPolicy: None
                flavorFungibility: {whenCanBorrow: MayStopSearch, whenCanPreempt: TryNextFlavor}
                preemption: {withinClusterQueue: Never, reclaimWithinCohort: Never, borrowWithinCohort: {policy: Never}}
              """),
          new Default(
              "fair sharing without a weight",
              "ClusterQueue",
              "spec: {fairSharing: {}}",
              "spec: {fairSharing: {weight: 1}}"),
          new Default(
              "fair sharing of a Cohort",
              "Cohort",
              "spec: {fairSharing: {}}",
              "spec: {fairSharing: {weight: 1}}"),
          new Default(
              "a LocalQueue",
              "LocalQueue",
              "spec: {clusterQueue: a, fairSharing: {}}",
              "spec: {clusterQueue: a, stopPolicy: None, fairSharing: {weight: 1}}"),
          new Default(
              "a Workload",
              "Workload",
              "spec: {podSets: [{template: {spec: {newField: kept}}}]}",
              "spec: {active: true, podSets: [{name: main, count: 1, template: {spec: {newField:"
                  + " kept}}}]}"),
          new Default(
              "the assignment of a Workload's only pod set",
              "Workload",
              """
              spec: {podSets: [{template: {}}]}
              status: {admission: {clusterQueue: a, podSetAssignments: [{count: 1}]}}
              """,
              "status: {admission: {clusterQueue: a, podSetAssignments: [{name: main, count:"
                  + " 1}]}}"),
          new Default(
              "retries for nodes",
              "ProvisioningRequestConfig",
              "spec: {provisioningClassName: a}",
              "spec: {retryStrategy: {backoffLimitCount: 3, backoffBaseSeconds: 60,"
                  + " backoffMaxSeconds: 1800}}"),
          new Default(
              "where a kubeconfig is",
              "MultiKueueCluster",
              "spec: {clusterSource: {kubeConfig: {location: a}}}",
              "spec: {clusterSource: {kubeConfig: {location: a, locationType: Secret}}}"));

  private final KueueServer kueue;
  private final KueueServer embedded = KueueServer.embedded();

  KueueDefinitionsIT(RealKubernetes kubernetes) {
    this.kueue = KueueServer.real(kubernetes);
  }

  @AfterAll
  void close() {
    kueue.close();
    embedded.close();
  }

  static List<ApiObject> definitions() {
    return KueueDefinitions.all();
  }

  @ParameterizedTest
  @MethodSource("definitions")
  void everyDefinitionIsTakenAndKeptAsItIs(ApiObject ours) {
    ApiObject definition = kueue.definition(ours);

    assertThat(Condition.holds(definition.status(), "Established")).isTrue();
    assertThat(Condition.find(definition.status(), "NonStructuralSchema")).isEmpty();
    assertThat(Subset.missing(ours.spec(), definition.spec())).isEmpty();
  }

  /** Every example in v1beta2, the same in v1beta1, and what only v1beta1 can say. */
  static Stream<ApiObject> examples() {
    return Yaml.parseAll(text("/kueue/examples.yaml")).stream()
        .map(ApiObject::of)
        .flatMap(example ->
            example.apiVersion().equals(V1BETA1) || example.name().equals("profile")
                ? Stream.of(example)
                : Stream.of(
                    example,
                    KueueConversion.convert(example, V1BETA1)
                        .withMetadata("name", example.name() + "-in-v1beta1")));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void aFullExampleIsTaken(ApiObject example) {
    ApiObject written = kueue.write(example);

    // Without a webhook the server keeps of v1beta1 only what is called the same in v1beta2.
    if (example.apiVersion().equals(V1BETA2)) {
      assertThat(Subset.missing(example.tree(), written.tree())).isEmpty();
    }
  }

  @Test
  void noExampleHasAFieldThatIsUnknown() {
    String all =
        examples().map(ApiObject::tree).map(Json::write).reduce("", KueueDefinitionsIT::documents);

    Kubectl.Result result =
        kueue
            .kubectl()
            .runWithInput(all, "create", "--dry-run=server", "--validate=strict", "-f", "-");

    assertThat(unknownFields(result.error())).isEmpty();
  }

  private static String documents(String before, String next) {
    return before + "---\n" + next + "\n";
  }

  private static List<String> unknownFields(String message) {
    return Pattern.compile("unknown field \"([^\"]+)\"")
        .matcher(message)
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  @Test
  void theOldVersionWarns() {
    Kubectl.Result old = kueue.kubectl().run("get", "cohorts.v1beta1.kueue.x-k8s.io");
    Kubectl.Result stored = kueue.kubectl().run("get", "cohorts");

    assertThat(old.error())
        .contains("v1beta1 Cohort is deprecated; use kueue.x-k8s.io/v1beta2 Cohort");
    assertThat(stored.error()).doesNotContain("deprecated");
  }

  @Test
  void aWorkloadIsFoundByTheClusterQueueItIsIn() {
    for (KueueServer server : List.of(kueue, embedded)) {
      server.write(
          object(
              "Workload",
              "selectable",
              "{spec: {podSets: [{template: {}}]}, status: {admission: {clusterQueue: found,"
                  + " podSetAssignments: [{}]}}}"));

      String selector = "--field-selector=status.admission.clusterQueue=found";
      String found = server.kubectl().run("get", "kwl", "-o", "name", selector).orFail();

      assertThat(found.strip())
          .as(server.toString())
          .isEqualTo("workload.kueue.x-k8s.io/selectable");
    }
  }

  @ParameterizedTest
  @FieldSource("DEFAULTS")
  void missingFieldHasItsDefault(Default given) {
    String name = given.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z]+", "-");
    Tree want = Yaml.parseAll(given.want()).getFirst().asTree();
    for (KueueServer server : List.of(kueue, embedded)) {
      ApiObject written = server.write(object(given.kind(), name, given.given()));

      assertThat(Subset.missing(want, written.tree())).as(server.toString()).isEmpty();
    }
  }

  private static ApiObject object(String kind, String name, String yaml) {
    return ApiObject.of(Yaml.parseAll(yaml).getFirst())
        .with(List.of("apiVersion"), V1BETA2)
        .with(List.of("kind"), kind)
        .with(List.of("metadata"), Tree.of("name", name, "namespace", "default"));
  }

  private static String text(String path) {
    try (InputStream file =
        Objects.requireNonNull(KueueDefinitionsIT.class.getResourceAsStream(path), path)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
