package dev.sluice.controllers.nodes.stage;

import static dev.sluice.controllers.nodes.stage.SampleStages.POD;
import static dev.sluice.controllers.nodes.stage.SampleStages.stage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.controllers.nodes.template.TemplateException;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.testkit.Worlds;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What the steps of a stage make of an object. */
class StageStepTest {

  record Patched(String name, String step, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Patched> PATCHES =
      List.of(
          new Patched(
              "strategic by default: conditions merge by type",
              "root: status, template: 'conditions: [{type: Ready, status: \"True\"}, {type: B,"
                  + " status: \"True\"}]'",
              "[{\"status\":\"True\",\"type\":\"Ready\"},{\"status\":\"True\",\"type\":\"B\"}]"),
          new Patched(
              "a merge patch replaces lists",
              "root: status, type: merge, template: 'conditions: [{type: B}]'",
              "[{\"type\":\"B\"}]"),
          new Patched(
              "a JSON patch",
              "type: json, template: '[{op: add, path: /status/conditions/-, value: {type: {{"
                  + " .metadata.name | Quote }}}}]'",
              "[{\"status\":\"False\",\"type\":\"Ready\"},{\"type\":\"p\"}]"),
          new Patched("null removes", "template: 'status: {conditions: null}'", "null"),
          new Patched(
              "an element that is to go",
              "root: status, template: 'conditions: [{type: Ready, $patch: delete}]'",
              "[]"),
          new Patched(
              "elements in the order that is wanted",
              "root: status, template: '{$setElementOrder/conditions: [{type: B}, {type: Ready}],"
                  + " conditions: [{type: B, status: \"True\"}]}'",
              "[{\"status\":\"True\",\"type\":\"B\"},{\"status\":\"False\",\"type\":\"Ready\"}]"),
          new Patched(
              "an empty template changes nothing",
              "root: status, template: '{{ if false }}x{{ end }}'",
              "[{\"status\":\"False\",\"type\":\"Ready\"}]"));

  @ParameterizedTest
  @FieldSource("PATCHES")
  void patches(Patched c) {
    Stage stage = stage("s", "steps: [{patch: {%s}}]".formatted(c.step()));

    Tree patched = ObjectPatch.apply(POD, (StageStep.Patch) stage.steps().getFirst());

    assertThat(Json.write(patched.at("status", "conditions"))).isEqualTo(c.want());
  }

  @Test
  void directivesThatAreNotKnownAreRefused() {
    Stage stage = stage("s", "steps: [{patch: {root: status, template: '$retainKeys: [phase]'}}]");

    assertThatThrownBy(() -> ObjectPatch.apply(POD, (StageStep.Patch) stage.steps().getFirst()))
        .isInstanceOfSatisfying(
            TemplateException.class,
            refused ->
                assertThat(refused.why())
                    .isEqualTo("stages do not know the directive $retainKeys"));
  }

  @Test
  void nextIsReadAsStepsInKwoksOrder() {
    Stage stage =
        stage(
            "s",
            "next: {delete: true, statusTemplate: 'phase: x', finalizers: {empty: true}, event:"
                + " {reason: r}}");

    assertThat(stage.steps())
        .extracting(step -> step.getClass().getSimpleName())
        .containsExactly("Announce", "Finalizers", "Patch", "Delete");
  }

  @Test
  void patchesOfOtherKindsReplaceListsUnlessTheySayOtherwise() {
    var object =
        Worlds.yaml(
            "{kind: Stage, metadata: {name: s}, spec: {resourceRef: {apiGroup: batch/v1, kind:"
                + " Job}, steps: [{patch: {root: status, template: 'conditions: [{type: B}]'}}]}}");
    Stage stage = StageReader.read(object, new TreeMap<>()).stage();

    Tree patched = ObjectPatch.apply(POD, (StageStep.Patch) stage.steps().getFirst());

    assertThat(Json.write(patched.at("status", "conditions"))).isEqualTo("[{\"type\":\"B\"}]");
  }
}
