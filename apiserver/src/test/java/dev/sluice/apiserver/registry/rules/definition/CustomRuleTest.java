package dev.sluice.apiserver.registry.rules.definition;

import static dev.sluice.apiserver.registry.Samples.WIDGET;
import static dev.sluice.apiserver.registry.World.fields;
import static dev.sluice.apiserver.registry.World.refused;
import static dev.sluice.model.Kinds.CUSTOM_RESOURCE_DEFINITION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.Samples;
import dev.sluice.apiserver.registry.World;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueDefinitions;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The CEL rules of custom kinds, at every way to write an object. */
class CustomRuleTest {
  private final World world = new World();

  @BeforeEach
  void define() {
    Tree definition = Samples.widgetDefinition();
    Tree version =
        MergePatch.apply(
            definition.tree("spec").trees("versions").getFirst(),
            World.yaml(
                """
                schema:
                  openAPIV3Schema:
                    properties:
                      spec:
                        x-kubernetes-validations:
                        - {rule: 'self.size < 10', message: too large}
                        - {rule: 'self.color == oldSelf.color', message: color is immutable, fieldPath: .color}
                      status:
                        x-kubernetes-validations:
                        - {rule: '!has(oldSelf.ready) || has(self.ready)', message: ready stays}
                """));
    world.create(
        CUSTOM_RESOURCE_DEFINITION, definition.with(List.of("spec", "versions"), List.of(version)));
  }

  @Test
  void theDefinitionIsTakenWithoutAWarning() {
    assertThat(world.warnings).isEmpty();
  }

  @Test
  void aNewObjectIsChecked() {
    ApiFailure failure =
        refused(
            Reason.INVALID,
            () -> world.create(WIDGET, Samples.widget("w").with("spec", Tree.of("size", 10))));

    assertThat(fields(failure)).containsExactly("spec");
    assertThat(failure.message())
        .isEqualTo(
            "Widget.example.com \"w\" is invalid: spec: Invalid value: \"object\": too large");
  }

  @Test
  void rulesDoNotRunOverWhatTheSchemaRefusesAndThatIsSaid() {
    ApiFailure failure =
        refused(
            Reason.INVALID,
            () ->
                world.create(
                    WIDGET,
                    Samples.widget("w").with("spec", Tree.of("size", 10, "color", "blue"))));

    assertThat(fields(failure)).containsExactly("spec.color", "<nil>");
  }

  @Test
  void replacementsPatchesAndTheStatusAreCompared() {
    ApiObject created = world.create(WIDGET, Samples.widget("w"));
    List<String> color = List.of("spec", "color");

    ApiFailure replaced =
        refused(Reason.INVALID, () -> world.update(WIDGET, created.with(color, "green")));
    ApiFailure patched =
        refused(Reason.INVALID, () -> world.patch(WIDGET, "w", tree -> tree.with(color, "green")));
    ApiObject ready = world.updateStatus(WIDGET, created.withStatus(Tree.of("ready", true)));
    ApiFailure status =
        refused(Reason.INVALID, () -> world.updateStatus(WIDGET, ready.withStatus(Tree.EMPTY)));

    assertThat(fields(replaced)).containsExactly("spec.color");
    assertThat(fields(patched)).containsExactly("spec.color");
    assertThat(fields(status)).containsExactly("status");
  }

  @Test
  void theRulesOfKueueCompile() {
    for (ApiObject definition : KueueDefinitions.all()) {
      world.create(Kinds.CUSTOM_RESOURCE_DEFINITION, definition.tree());
    }

    assertThat(world.registry.find("kueue.x-k8s.io", "v1beta2", "workloads")).isPresent();
  }
}
