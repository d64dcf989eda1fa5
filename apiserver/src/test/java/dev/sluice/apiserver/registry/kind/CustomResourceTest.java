package dev.sluice.apiserver.registry.kind;

import static dev.sluice.apiserver.registry.Samples.WIDGET;
import static dev.sluice.apiserver.registry.World.fields;
import static dev.sluice.apiserver.registry.World.refused;
import static dev.sluice.model.Kinds.CUSTOM_RESOURCE_DEFINITION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.Samples;
import dev.sluice.apiserver.registry.World;
import dev.sluice.apiserver.registry.WriteOptions.FieldValidation;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Objects of the kinds that definitions bring. */
class CustomResourceTest {
  private final World world = new World();

  private ApiObject define() {
    return world.create(CUSTOM_RESOURCE_DEFINITION, Samples.widgetDefinition());
  }

  @Test
  void anObjectIsPrunedDefaultedAndChecked() {
    define();
    Tree body = Samples.widget("w").with(List.of("spec", "extra"), 1).with("more", "x");

    ApiObject created = world.create(WIDGET, body);
    ApiFailure strict =
        refused(
            Reason.BAD_REQUEST,
            () -> world.create(WIDGET, body, world.options(false, FieldValidation.STRICT)));
    ApiFailure invalid =
        refused(
            Reason.INVALID,
            () ->
                world.create(
                    WIDGET, Samples.widget("x").with("spec", Tree.of("size", 0, "color", "blue"))));
    ApiFailure missing =
        refused(
            Reason.INVALID,
            () -> world.create(WIDGET, Samples.widget("x").with("spec", Tree.EMPTY)));

    assertThat(created.spec()).isEqualTo(Tree.of("size", 3, "color", "red"));
    assertThat(created.tree().has("more")).isFalse();
    assertThat(world.warnings)
        .containsExactlyInAnyOrder("unknown field \"spec.extra\"", "unknown field \"more\"");
    assertThat(strict.message()).contains("unknown field \"spec.extra\"");
    assertThat(fields(invalid)).contains("spec.color", "spec.size");
    assertThat(invalid.message()).startsWith("Widget.example.com \"x\" is invalid: ");
    assertThat(fields(missing)).contains("spec.size");
  }

  @Test
  void unknownMetadataIsDroppedWithAWarning() {
    define();

    ApiObject created =
        world.create(
            WIDGET, new ApiObject(Samples.widget("w")).withMetadata("colour", "red").tree());

    assertThat(created.metadata().has("colour")).isFalse();
    assertThat(world.warnings).containsExactly("unknown field \"metadata.colour\"");
  }

  @Test
  void aReplacementNeedsARevisionAndTheGenerationCountsAllButStatus() {
    define();
    ApiObject created = world.create(WIDGET, Samples.widget("w"));

    ApiFailure blind =
        refused(
            Reason.INVALID, () -> world.update(WIDGET, created.withoutMetadata("resourceVersion")));
    ApiObject labelled = world.update(WIDGET, created.withLabel("a", "b"));
    ApiObject changed = world.update(WIDGET, labelled.with(List.of("spec", "size"), 4));

    assertThat(blind.kind()).isEqualTo("widgets");
    assertThat(labelled.generation()).isEqualTo(1);
    assertThat(changed.generation()).isEqualTo(2);
  }

  @Test
  void aStatusWriteTouchesNothingButTheStatus() {
    define();
    ApiObject created =
        world.create(WIDGET, Samples.widget("w").with("status", Tree.of("ready", true)));
    assertThat(created.tree().has("status")).isFalse();

    ApiObject reported =
        world.updateStatus(
            WIDGET,
            created
                .withStatus(Tree.of("ready", true))
                .withLabel("a", "b")
                .with(List.of("spec", "size"), 9));
    ApiObject updated = world.update(WIDGET, reported.withStatus(Tree.of("ready", false)));

    assertThat(reported.status()).isEqualTo(Tree.of("ready", true));
    assertThat(reported.spec()).isEqualTo(created.spec());
    assertThat(reported.labels()).isEmpty();
    assertThat(reported.generation()).isEqualTo(1);
    assertThat(updated).isEqualTo(reported);
    ApiFailure wrong =
        refused(
            Reason.INVALID,
            () -> world.updateStatus(WIDGET, updated.withStatus(Tree.of("ready", "maybe"))));
    assertThat(fields(wrong)).contains("status.ready");
  }

  @Test
  void withoutAStatusSubresourceTheStatusIsAFieldLikeAnyOther() {
    Tree definition = Samples.widgetDefinition();
    Tree version = definition.tree("spec").trees("versions").getFirst().without("subresources");
    world.create(
        CUSTOM_RESOURCE_DEFINITION, definition.with(List.of("spec", "versions"), List.of(version)));

    ApiObject created =
        world.create(WIDGET, Samples.widget("w").with("status", Tree.of("ready", true)));
    ApiObject updated = world.update(WIDGET, created.withStatus(Tree.of("ready", false)));

    assertThat(created.status().flag("ready")).isTrue();
    assertThat(updated.generation()).isEqualTo(2);
    refused(Reason.NOT_FOUND, () -> world.updateStatus(WIDGET, updated));
  }

  @Test
  void anOldMistakeDoesNotStandInTheWayOfAnotherChange() {
    define();
    world.create(WIDGET, Samples.widget("w"));
    patchSchema("{spec: {properties: {size: {maximum: 2}}}}");

    ApiObject labelled =
        world.patch(WIDGET, "w", tree -> tree.with(List.of("metadata", "labels", "a"), "b"));
    ApiFailure failure =
        refused(
            Reason.INVALID,
            () -> world.patch(WIDGET, "w", tree -> tree.with(List.of("spec", "size"), 4)));

    assertThat(labelled.label("a")).isEqualTo("b");
    assertThat(fields(failure)).contains("spec.size");
  }

  private void patchSchema(String properties) {
    world.patchWidgetVersion(version ->
        MergePatch.apply(
            version,
            Tree.of(
                "schema",
                Tree.of("openAPIV3Schema", Tree.of("properties", World.yaml(properties))))));
  }

  @Test
  void versionsDifferOnlyInTheirName() {
    Tree definition = Samples.widgetDefinition();
    Tree v1 = definition.tree("spec").trees("versions").getFirst();
    Tree old = v1.with("name", "v1beta1").with("storage", false).with("deprecated", true);
    world.create(
        CUSTOM_RESOURCE_DEFINITION, definition.with(List.of("spec", "versions"), List.of(old, v1)));
    var beta = new ResourceKind("example.com", "v1beta1", "Widget", "widgets", true);

    ApiObject created =
        world.create(beta, Samples.widget("w").with("apiVersion", "example.com/v1beta1"));
    ApiObject stored = world.get(WIDGET, "w");
    ApiObject updated = world.update(WIDGET, stored.with(List.of("spec", "size"), 8));
    ApiObject same = world.patch(beta, "w", tree -> tree);

    assertThat(created.apiVersion()).isEqualTo("example.com/v1beta1");
    assertThat(stored.apiVersion()).as("stored in the storage version").isEqualTo("example.com/v1");
    assertThat(updated.generation()).isEqualTo(2);
    assertThat(same).isEqualTo(updated.with(List.of("apiVersion"), "example.com/v1beta1"));
    assertThat(world.warnings).contains("example.com/v1beta1 Widget is deprecated");
    assertThat(
            world.registry.kinds().stream()
                .filter(kind -> !kind.builtIn())
                .map(kind -> kind.kind().version()))
        .containsExactly("v1", "v1beta1");
  }
}
