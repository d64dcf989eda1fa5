package dev.sluice.apiserver.registry.rules.definition;

import static dev.sluice.apiserver.registry.Samples.WIDGET;
import static dev.sluice.apiserver.registry.World.fields;
import static dev.sluice.apiserver.registry.World.refused;
import static dev.sluice.model.Kinds.CUSTOM_RESOURCE_DEFINITION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.Registry;
import dev.sluice.apiserver.registry.Samples;
import dev.sluice.apiserver.registry.StoreRegistry;
import dev.sluice.apiserver.registry.World;
import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.VirtualTime;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Definitions of kinds, from their creation to their end. */
class DefinitionTest {
  private static final String NAME = "widgets.example.com";
  private final World world = new World();

  private ApiObject define() {
    return world.create(CUSTOM_RESOURCE_DEFINITION, Samples.widgetDefinition());
  }

  @Test
  void aDefinitionIsEstablishedAndServedAtOnce() {
    ApiObject definition = define();

    assertThat(definition.spec().tree("names"))
        .isEqualTo(
            World.yaml(
                "{plural: widgets, singular: widget, kind: Widget, listKind: WidgetList,"
                    + " shortNames: [wg], categories: [all]}"));
    assertThat(definition.spec().text("conversion", "strategy")).isEqualTo("None");
    assertThat(Condition.holds(definition.status(), "NamesAccepted")).isTrue();
    assertThat(Condition.holds(definition.status(), "Established")).isTrue();
    assertThat(definition.status().textItems("storedVersions")).containsExactly("v1");
    assertThat(definition.status().tree("acceptedNames"))
        .isEqualTo(definition.spec().tree("names"));
    assertThat(definition.generation()).isEqualTo(1);
    ServedKind served = world.registry.find("example.com", "v1", "widgets").orElseThrow();
    assertThat(served.kind()).isEqualTo(WIDGET);
    assertThat(served.subresources())
        .extracting(ServedKind.Subresource::name)
        .containsExactly("status");
    assertThat(served.columns()).extracting(ServedKind.Column::name).containsExactly("Age");
    assertThat(world.registry.kinds().getLast()).isEqualTo(served);
  }

  @Test
  void aVersionThatMayBeStoredCannotGo() {
    define();

    ApiFailure failure =
        refused(
            Reason.INVALID, () -> world.patchWidgetVersion(version -> version.with("name", "v2")));

    assertThat(fields(failure)).containsExactly("status.storedVersions[0]");
  }

  @Test
  void aDefinitionWithoutHeldObjectsGoesAtOnceWithThem() {
    define();
    world.create(WIDGET, Samples.widget("a"));
    world.create(WIDGET, Samples.widget("b"));
    var changes = world.changes(WIDGET);

    Registry.Deleted deleted = world.delete(CUSTOM_RESOURCE_DEFINITION, NAME);

    assertThat(deleted.gone()).isTrue();
    assertThat(changes).hasSize(2).allMatch(change -> change.after().isEmpty());
    assertThat(world.registry.find("example.com", "v1", "widgets")).isEmpty();
    assertThat(world.store.snapshot().get(CUSTOM_RESOURCE_DEFINITION.key(NAME))).isEmpty();
  }

  @Test
  void aDefinitionWaitsForHeldObjectsAndTakesNoNewOnes() {
    define();
    world.create(
        WIDGET, new ApiObject(Samples.widget("held")).withFinalizer("example.com/x").tree());
    world.create(WIDGET, Samples.widget("free"));

    Registry.Deleted deleted = world.delete(CUSTOM_RESOURCE_DEFINITION, NAME);
    ApiObject held = world.get(WIDGET, "held");
    refused(Reason.FORBIDDEN, () -> world.create(WIDGET, Samples.widget("new")));

    assertThat(deleted.gone()).isFalse();
    assertThat(deleted.object().finalizers())
        .containsExactly("customresourcecleanup.apiextensions.k8s.io");
    assertThat(Condition.holds(deleted.object().status(), "Terminating")).isTrue();
    assertThat(held.isDeleting()).isTrue();
    assertThat(world.find(WIDGET, "free")).isEmpty();

    world.update(WIDGET, held.withoutFinalizer("example.com/x"));
    assertThat(world.store.snapshot().get(CUSTOM_RESOURCE_DEFINITION.key(NAME))).isEmpty();
    assertThat(world.registry.find("example.com", "v1", "widgets")).isEmpty();
  }

  @Test
  void aRestartGoesOnWithADeletionThatWasUnderWay() {
    define();
    world.create(
        WIDGET, new ApiObject(Samples.widget("held")).withFinalizer("example.com/x").tree());
    world.delete(CUSTOM_RESOURCE_DEFINITION, NAME);
    ApiObject held = world.get(WIDGET, "held");
    // The server dies between the removal of the last object and that of its definition.
    world.store.delete(held.key(WIDGET), Long.parseLong(held.resourceVersion()));

    var restarted =
        new StoreRegistry(
            world.store, new VirtualTime(World.START), new SplittableRandom(2), List.of());
    restarted.bootstrap();

    assertThat(world.store.snapshot().get(CUSTOM_RESOURCE_DEFINITION.key(NAME))).isEmpty();
    restarted.close();
  }

  @Test
  void aRestartServesWhatWasDefined() {
    define();

    var restarted =
        new StoreRegistry(
            world.store, new VirtualTime(World.START), new SplittableRandom(2), List.of());

    assertThat(restarted.find("example.com", "v1", "widgets")).isPresent();
    restarted.close();
  }

  @Test
  void takenNamesAreNotServedUntilTheyAreFree() {
    define();
    Tree rival =
        MergePatch.apply(
            Samples.widgetDefinition(),
            World.yaml(
                "{metadata: {name: gadgets.example.com}, spec: {names: {plural: gadgets, kind:"
                    + " Gadget, shortNames: [wg]}}}"));

    ApiObject refused = world.create(CUSTOM_RESOURCE_DEFINITION, rival);
    assertThat(Condition.find(refused.status(), "NamesAccepted").orElseThrow().text("reason"))
        .isEqualTo("ShortNamesConflict");
    assertThat(Condition.find(refused.status(), "Established").orElseThrow().text("reason"))
        .isEqualTo("NotAccepted");
    assertThat(world.registry.find("example.com", "v1", "gadgets")).isEmpty();

    world.delete(CUSTOM_RESOURCE_DEFINITION, NAME);
    assertThat(world.registry.find("example.com", "v1", "gadgets")).isPresent();
  }

  private static Bad scale(String paths, String at) {
    return new Bad(
        "{spec: {versions: [{name: v1, served: true, storage: true, subresources: {scale: {%s}},"
                .formatted(paths)
            + " schema: {openAPIV3Schema: {type: object}}}]}}",
        "spec.versions[0].subresources.scale." + at);
  }

  /** A change of a good definition, and the field that is refused for it. */
  record Bad(String change, String field) {}

  private static Bad selectable(String fields, String at) {
    return new Bad(
        "{spec: {versions: [{name: v1, served: true, storage: true, selectableFields: "
            + fields
            + ", schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object,"
            + " properties: {a: {type: string}}}}}}}]}}",
        "spec.versions[0].selectableFields" + at);
  }

  static final List<Bad> BAD =
      List.of(
          new Bad("{metadata: {name: other.example.com}}", "metadata.name"),
          new Bad("{spec: {scope: World}}", "spec.scope"),
          new Bad("{spec: {versions: []}}", "spec.versions"),
          new Bad("{spec: {names: {kind: null}}}", "spec.names.kind"),
          new Bad("{spec: {conversion: {strategy: Webhook}}}", "spec.conversion.strategy"),
          new Bad("{spec: {preserveUnknownFields: true}}", "spec.preserveUnknownFields"),
          new Bad(
              "{spec: {versions: [{name: v1, served: true, storage: true}]}}",
              "spec.versions[0].schema.openAPIV3Schema"),
          new Bad(
              "{spec: {versions: [{name: v1, served: true, storage: false, schema:"
                  + " {openAPIV3Schema: {type: object}}}]}}",
              "spec.versions"),
          new Bad(
              "{spec: {versions: [{name: v1, served: false, storage: true, schema:"
                  + " {openAPIV3Schema: {type: object}}}]}}",
              "spec.versions"),
          new Bad(
              "{spec: {versions: [{name: v1, served: true, storage: true, schema:"
                  + " {openAPIV3Schema: {type: object, properties: {a: {}}}}}]}}",
              "spec.versions[0].schema.openAPIV3Schema.properties[a].type"),
          new Bad(
              "{spec: {versions: [{name: v1, served: true, storage: true, schema:"
                  + " {openAPIV3Schema: {type: object, x-kubernetes-validations: [{rule:"
                  + " self.missing}]}}}]}}",
              "spec.versions[0].schema.openAPIV3Schema.x-kubernetes-validations[0].rule"),
          scale("", "specReplicasPath"),
          scale("specReplicasPath: .spec.n", "statusReplicasPath"),
          scale("specReplicasPath: spec.n, statusReplicasPath: .status.n", "specReplicasPath"),
          scale("specReplicasPath: .spec.n, statusReplicasPath: .spec.n", "statusReplicasPath"),
          scale(
              "specReplicasPath: .spec.n, statusReplicasPath: .status.n, labelSelectorPath:"
                  + " .metadata.x",
              "labelSelectorPath"),
          selectable("[{jsonPath: .spec.missing}]", "[0].jsonPath"),
          selectable("[{jsonPath: .spec}]", "[0].jsonPath"),
          selectable("[{jsonPath: .spec.a}, {jsonPath: .spec.a}]", "[1].jsonPath"),
          new Bad(
              "{metadata: {name: widgets.x.k8s.io}, spec: {group: x.k8s.io}}",
              "metadata.annotations[api-approved.kubernetes.io]"));

  @ParameterizedTest
  @FieldSource("BAD")
  void refusesDefinitions(Bad c) {
    Tree body = MergePatch.apply(Samples.widgetDefinition(), World.yaml(c.change()));

    ApiFailure failure =
        refused(Reason.INVALID, () -> world.create(CUSTOM_RESOURCE_DEFINITION, body));

    assertThat(fields(failure)).contains(c.field());
  }

  @Test
  void whatObjectsDependOnCannotChange() {
    define();

    ApiFailure scope =
        refused(
            Reason.INVALID,
            () ->
                world.patch(
                    CUSTOM_RESOURCE_DEFINITION,
                    NAME,
                    tree -> tree.with(List.of("spec", "scope"), "Cluster")));
    ApiFailure kind =
        refused(
            Reason.INVALID,
            () ->
                world.patch(
                    Kinds.CUSTOM_RESOURCE_DEFINITION,
                    NAME,
                    tree -> tree.with(List.of("spec", "names", "kind"), "Gizmo")));

    assertThat(fields(scope)).containsExactly("spec.scope");
    assertThat(fields(kind)).containsExactly("spec.names.kind");
  }
}
