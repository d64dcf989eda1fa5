package dev.sluice.controllers.nodes;

import static dev.sluice.testkit.Worlds.driver;
import static dev.sluice.testkit.Worlds.pass;
import static dev.sluice.testkit.Worlds.reasons;
import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.Event;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StagedKindsTest {
  private static final ResourceKind RABBIT =
      new ResourceKind("zoo.example", "v1", "Rabbit", "rabbits", true);

  private final FakeCluster cluster = new FakeCluster(1);
  private VirtualDriver driver;

  @BeforeEach
  void start() {
    driver = driver(cluster, 3, SimulatedNodes.withPods(cluster, false));
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  private ApiObject stage(String name, String spec) {
    return Stages.create(cluster, name, spec);
  }

  private ApiObject create(ResourceKind kind, String name) {
    return cluster.create(kind, ApiObject.of(kind, "default", name));
  }

  private ApiObject get(ResourceKind kind, String name) {
    return cluster.require(kind.key("default", name));
  }

  @Test
  void objectsOfAnyServedKindGoThroughTheirStages() {
    stage(
        "complete",
        "{resourceRef: {apiGroup: batch/v1, kind: Job}, selector: {matchExpressions: [{key:"
            + " .status.succeeded, operator: DoesNotExist}]}, delay: {durationMilliseconds: 5000},"
            + " next: {event: {reason: Done, message: m}, statusTemplate: 'succeeded: 1'}}");
    create(Kinds.JOB, "before");
    driver.settle();
    create(Kinds.JOB, "after");
    pass(driver, cluster, Duration.ofSeconds(4));
    assertThat(get(Kinds.JOB, "before").status().has("succeeded")).isFalse();

    pass(driver, cluster, Duration.ofSeconds(2));

    assertThat(get(Kinds.JOB, "before").status().whole("succeeded")).hasValue(1);
    assertThat(get(Kinds.JOB, "after").status().whole("succeeded")).hasValue(1);
    assertThat(reasons(cluster, "after")).containsExactly("Done");
  }

  @Test
  void fieldsOutsideOfSpecAndStatusAreChangedToo() {
    stage(
        "fill",
        "{resourceRef: {kind: ConfigMap}, selector: {matchExpressions: [{key: .data.full, operator:"
            + " DoesNotExist}]}, steps: [{patch: {template: 'data: {full: \"yes\"}'}},"
            + " {finalizers: {add: [{value: a/b}]}}]}");
    create(Kinds.CONFIG_MAP, "c");
    driver.settle();

    ApiObject filled = get(Kinds.CONFIG_MAP, "c");
    assertThat(filled.tree().text("data", "full")).isEqualTo("yes");
    assertThat(filled.finalizers()).containsExactly("a/b");
    assertThat(cluster.writes()).as("nothing is written twice").isEqualTo(4);
  }

  @Test
  void aStageForAnUnknownKindWaitsForItsDefinition() {
    stage(
        "grow",
        "{resourceRef: {apiGroup: zoo.example/v1, kind: Rabbit}, selector: {matchExpressions:"
            + " [{key: .status.grown, operator: DoesNotExist}]}, next: {statusTemplate: 'grown:"
            + " true'}}");
    driver.settle();
    assertThat(cluster.list(Kinds.EVENT).stream().map(event -> new Event(event).object().tree()))
        .singleElement()
        .satisfies(event ->
            assertThat(event.text("message")).contains("zoo.example/v1/Rabbit", "Definition"));

    cluster.create(
        Kinds.CUSTOM_RESOURCE_DEFINITION,
        yaml(
            "{metadata: {name: rabbits.zoo.example}, spec: {group: zoo.example, names: {kind:"
                + " Rabbit}}}"));
    driver.settle();
    cluster.serve(RABBIT); // a moment later than it was defined
    create(RABBIT, "r");
    pass(driver, cluster, Duration.ofSeconds(11));

    assertThat(get(RABBIT, "r").status().flag("grown")).isTrue();
  }

  @Test
  void withoutStagesNothingHappensAnyMore() {
    ApiObject stage =
        stage(
            "fill",
            "{resourceRef: {kind: ConfigMap}, selector: {}, delay: {durationMilliseconds: 1000},"
                + " steps: [{patch: {template: 'data: {full: \"yes\"}'}}]}");
    create(Kinds.CONFIG_MAP, "c");
    driver.settle();
    cluster.delete(Kinds.STAGE, stage, Deletion.BACKGROUND);
    pass(driver, cluster, Duration.ofSeconds(5));

    assertThat(get(Kinds.CONFIG_MAP, "c").tree().has("data")).isFalse();
  }

  @Test
  void otherObjectsAreApplied() {
    stage(
        "provide",
        """
        resourceRef: {apiGroup: batch/v1, kind: Job}
        selector: {matchExpressions: [{key: .metadata.annotations.provided, operator: DoesNotExist}]}
        steps:
          - apply:
              template: |
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: for-{{ .metadata.name }}, namespace: {{ .metadata.namespace }}}
                data: {by: apply}
          - apply:
              type: merge
              template: |
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: for-{{ .metadata.name }}, namespace: {{ .metadata.namespace }}}
                data: {also: merge}
          - apply:
              subresource: status
              template: |
                apiVersion: batch/v1
                kind: Job
                metadata: {name: {{ .metadata.name }}, namespace: {{ .metadata.namespace }}}
                status: {active: 1}
          - patch: {template: 'metadata: {annotations: {provided: "yes"}}'}
        """
            .indent(2)
            .strip());
    create(Kinds.JOB, "j");
    driver.settle();

    assertThat(get(Kinds.CONFIG_MAP, "for-j").tree().texts("data"))
        .containsEntry("by", "apply")
        .containsEntry("also", "merge");
    assertThat(get(Kinds.JOB, "j").status().whole("active")).hasValue(1);
    assertThat(get(Kinds.JOB, "j").annotation("provided")).isEqualTo("yes");
  }

  record Unapplicable(String template, String want) {}

  @Test
  void whatCannotBeAppliedSaysWhyAndHoldsUpNobody() {
    stage(
        "provide",
        "{resourceRef: {apiGroup: batch/v1, kind: Job}, selector: {}, steps: [{apply: {type: merge,"
            + " template: '{{ .metadata.annotations.what }}'}}]}");
    var cases =
        List.of(
            new Unapplicable("[]", "no object"),
            new Unapplicable("{kind: Rabbit, metadata: {name: r}}", "no object"),
            new Unapplicable(
                "{apiVersion: zoo.example/v1, kind: Rabbit, metadata: {name: r}}",
                "nothing here serves the kind Rabbit of zoo.example/v1"),
            new Unapplicable(
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}",
                "without a metadata.namespace"),
            new Unapplicable(
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: default}}",
                "default/c is not there to be changed"));
    for (int i = 0; i < cases.size(); i++) {
      cluster.create(
          Kinds.JOB,
          ApiObject.of(Kinds.JOB, "default", "j" + i)
              .withAnnotation("what", cases.get(i).template()));
    }
    driver.settle();

    for (int i = 0; i < cases.size(); i++) {
      String name = "j" + i;
      assertThat(cluster.list(Kinds.EVENT))
          .filteredOn(event -> event.tree().text("involvedObject", "name").equals(name))
          .singleElement()
          .extracting(event -> event.tree().text("message"))
          .asString()
          .contains(cases.get(i).want());
    }
  }
}
