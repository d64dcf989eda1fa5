package dev.sluice.apiserver.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.WriteOptions.FieldValidation;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The fields that an object has although its client did not send them. */
class ZeroFieldsTest {
  private final World world = new World();

  /** A new object, one of its fields, and the value as YAML. */
  record Case(ResourceKind kind, String object, List<String> field, String want) {
    @Override
    public String toString() {
      return kind.kind() + " " + String.join(".", field);
    }
  }

  private static final String JOB_SPEC =
      "template: {spec: {restartPolicy: Never, containers: [{name: a, image: b}]}}";

  static final List<Case> CASES =
      List.of(
          new Case(Kinds.JOB, "spec: {%s}".formatted(JOB_SPEC), List.of("status"), "{}"),
          new Case(
              Kinds.CRON_JOB,
              "spec: {schedule: '* * * * *', jobTemplate: {spec: {%s}}}".formatted(JOB_SPEC),
              List.of("status"),
              "{}"),
          new Case(
              Kinds.CRON_JOB,
              "spec: {schedule: '* * * * *', jobTemplate: {spec: {%s}}}".formatted(JOB_SPEC),
              List.of("spec", "jobTemplate", "spec", "template", "metadata"),
              "{}"),
          new Case(Kinds.RESOURCE_QUOTA, "spec: {hard: {pods: 1}}", List.of("status"), "{}"),
          new Case(Kinds.RESOURCE_QUOTA, "spec: null", List.of("spec"), "{}"),
          new Case(
              Kinds.POD_DISRUPTION_BUDGET,
              "spec: {minAvailable: 1}",
              List.of("status"),
              "{currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0}"),
          new Case(Kinds.LEASE, "", List.of("spec"), "{}"),
          new Case(
              Kinds.NODE,
              "status: {nodeInfo: {osImage: Debian}}",
              List.of("status", "daemonEndpoints"),
              "{kubeletEndpoint: {Port: 0}}"));

  @ParameterizedTest
  @FieldSource("CASES")
  void isThere(Case c) {
    Tree body =
        World.yaml(
            "{apiVersion: %s, kind: %s, metadata: {name: a}}"
                .formatted(c.kind().apiVersion(), c.kind().kind()));
    body = c.object().isEmpty() ? body : merged(body, World.yaml(c.object()));

    ApiObject tried = world.create(c.kind(), body, world.options(true, FieldValidation.STRICT));
    ApiObject created = world.create(c.kind(), body);

    assertThat(tried.tree().at(c.field().toArray(String[]::new))).isEqualTo(World.yaml(c.want()));
    assertThat(created.tree().at(c.field().toArray(String[]::new))).isEqualTo(World.yaml(c.want()));
  }

  private static Tree merged(Tree body, Tree more) {
    Tree merged = body;
    for (String name : more.names()) {
      merged = merged.with(name, more.at(name));
    }
    return merged;
  }

  @Test
  void whatTheClientSentStays() {
    ApiObject node =
        world.create(
            Kinds.NODE,
            "{apiVersion: v1, kind: Node, metadata: {name: n}, status: {nodeInfo: {osImage: x}}}");

    assertThat(node.tree().text("status", "nodeInfo", "osImage")).isEqualTo("x");
    assertThat(node.tree().at("status", "nodeInfo", "machineID")).isNotNull();
  }

  @Test
  void anUpdateThatOmitsTheStatusKeepsAnEmptyOne() {
    ApiObject job = world.create(Kinds.JOB, Samples.job("j"));

    ApiObject updated = world.updateStatus(Kinds.JOB, job.without(List.of("status")));

    assertThat(updated).isEqualTo(job);
  }
}
