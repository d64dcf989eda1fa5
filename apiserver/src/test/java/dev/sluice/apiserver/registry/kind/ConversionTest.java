package dev.sluice.apiserver.registry.kind;

import static dev.sluice.apiserver.registry.World.fields;
import static dev.sluice.apiserver.registry.World.refused;
import static dev.sluice.apiserver.registry.World.yaml;
import static dev.sluice.model.Kinds.CUSTOM_RESOURCE_DEFINITION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.cluster.EmbeddedCluster;
import dev.sluice.apiserver.registry.World;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.AdmissionHook;
import dev.sluice.runtime.ObjectEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A kind with two versions: in the old one a length is in centimetres, in the new in metres. */
class ConversionTest {
  private static final ResourceKind OLD =
      new ResourceKind("example.com", "v1beta1", "Rope", "ropes", true);
  private static final ResourceKind NEW =
      new ResourceKind("example.com", "v1beta2", "Rope", "ropes", true);

  static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: ropes.example.com}
      spec:
        group: example.com
        scope: Namespaced
        names: {plural: ropes, kind: Rope}
        conversion:
          strategy: Webhook
          webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://localhost/convert'}}
        versions:
        - name: v1beta1
          served: true
          storage: false
          deprecated: true
          deprecationWarning: speak v1beta2
          subresources: {status: {}}
          selectableFields: [{jsonPath: .status.usedCentimetres}]
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec:
                  type: object
                  required: [centimetres]
                  properties: {centimetres: {type: integer, maximum: 9900}, color: {type: string, default: red}}
                status: {type: object, properties: {usedCentimetres: {type: integer}}}
        - name: v1beta2
          served: true
          storage: true
          subresources: {status: {}}
          selectableFields: [{jsonPath: .status.usedMetres}]
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec:
                  type: object
                  required: [metres]
                  x-kubernetes-validations: [{rule: 'self.metres != 13', message: brings bad luck}]
                  properties: {metres: {type: integer}, color: {type: string}}
                status: {type: object, properties: {usedMetres: {type: integer}}}
      """;

  static ApiObject convert(ApiObject rope, String apiVersion) {
    boolean toOld = apiVersion.endsWith("v1beta1");
    Tree tree = rope.tree().with("apiVersion", apiVersion);
    tree = scaled(tree, "spec", toOld, "metres", "centimetres");
    return new ApiObject(scaled(tree, "status", toOld, "usedMetres", "usedCentimetres"));
  }

  private static Tree scaled(Tree tree, String part, boolean toOld, String metres, String small) {
    String from = toOld ? metres : small;
    String to = toOld ? small : metres;
    if (tree.tree(part).whole(from).isEmpty()) {
      return tree;
    }
    long length = tree.tree(part).whole(from).getAsLong();
    Tree changed = tree.tree(part).without(from).with(to, toOld ? length * 100 : length / 100);
    return tree.with(part, changed);
  }

  private final List<String> seen = new ArrayList<>();
  private final World world =
      new World(
          List.of(
              new AdmissionHook() {
                @Override
                public ResourceKind kind() {
                  return NEW;
                }

                @Override
                public void checkCreate(ApiObject rope) {
                  seen.add("created with " + rope.spec().whole("metres").orElse(-1));
                }

                @Override
                public void checkUpdate(ApiObject before, ApiObject after) {
                  seen.add("changed to " + after.spec().whole("metres").orElse(-1));
                }

                @Override
                public void checkStatus(ApiObject before, ApiObject after) {
                  seen.add("used " + after.status().whole("usedMetres").orElse(-1));
                }
              }),
          List.of(VersionConverter.ofGroup("example.com", ConversionTest::convert)));

  @BeforeEach
  void define() {
    world.create(CUSTOM_RESOURCE_DEFINITION, DEFINITION);
  }

  private ApiObject create(String name, int centimetres) {
    return world.create(
        OLD,
        yaml(
            "{apiVersion: example.com/v1beta1, kind: Rope, metadata: {name: %s}, spec:"
                    .formatted(name)
                + " {centimetres: %d}}".formatted(centimetres)));
  }

  @Test
  void oldVersionIsDefaultedInItselfAndStoredInTheNew() {
    ApiObject answered = create("r", 300);

    ApiObject stored = world.get(NEW, "r");
    assertThat(answered.apiVersion()).isEqualTo("example.com/v1beta1");
    assertThat(answered.spec()).isEqualTo(Tree.of("centimetres", 300, "color", "red"));
    assertThat(stored.apiVersion()).isEqualTo("example.com/v1beta2");
    assertThat(stored.spec()).isEqualTo(Tree.of("metres", 3, "color", "red"));
    assertThat(world.warnings).containsExactly("speak v1beta2");
    assertThat(seen).containsExactly("created with 3");
  }

  @Test
  void bothVersionsHaveTheirSay() {
    ApiFailure old = refused(Reason.INVALID, () -> create("long", 10_000));
    ApiFailure stored = refused(Reason.INVALID, () -> create("unlucky", 1300));

    assertThat(fields(old)).containsExactly("spec.centimetres");
    assertThat(fields(stored)).containsExactly("spec");
    assertThat(stored.message()).contains("brings bad luck");
  }

  @Test
  void replacementsPatchesAndTheStatusSpeakTheOldVersion() {
    ApiObject created = create("r", 300);

    ApiObject replaced = world.update(OLD, created.with(List.of("spec", "centimetres"), 400));
    ApiObject patched =
        world.patch(
            OLD,
            "r",
            tree -> {
              assertThat(tree.tree("spec").whole("centimetres")).hasValue(400);
              return tree.with(List.of("spec", "centimetres"), 500);
            });
    ApiObject used = world.updateStatus(OLD, patched.withStatus(Tree.of("usedCentimetres", 200)));

    assertThat(replaced.spec().whole("centimetres")).hasValue(400);
    assertThat(used.status()).isEqualTo(Tree.of("usedCentimetres", 200));
    ApiObject stored = world.get(NEW, "r");
    assertThat(stored.spec().whole("metres")).hasValue(5);
    assertThat(stored.status()).isEqualTo(Tree.of("usedMetres", 2));
    assertThat(stored.generation()).isEqualTo(3);
    assertThat(seen).containsExactly("created with 3", "changed to 4", "changed to 5", "used 2");
  }

  @Test
  void aStatusCanBeWrittenWithoutTheRest() {
    ApiObject created = create("r", 300);

    world.updateStatus(
        OLD,
        new ApiObject(created.tree().without("spec")).withStatus(Tree.of("usedCentimetres", 100)));

    assertThat(world.get(NEW, "r").spec().whole("metres")).hasValue(3);
    assertThat(world.get(NEW, "r").status().whole("usedMetres")).hasValue(1);
  }

  @Test
  void anOutdatedReplacementLoses() {
    ApiObject created = create("r", 300);
    world.update(OLD, created.with(List.of("spec", "centimetres"), 400));

    refused(
        Reason.CONFLICT,
        () -> world.update(OLD, created.with(List.of("spec", "centimetres"), 500)));
  }

  @Test
  void aClusterReadsAndWatchesTheVersionItAsksFor() {
    var cluster =
        new EmbeddedCluster(world.registry, world.store, world.time, new SplittableRandom(1));
    var told = new ArrayList<ObjectEvent>();
    try (var _ = cluster.watch(OLD, told::add)) {
      create("r", 300);
    }

    assertThat(told).hasSize(1);
    assertThat(told.getFirst().object().spec().whole("centimetres")).hasValue(300);
    assertThat(cluster.get(OLD.key("default", "r")).orElseThrow().spec().whole("centimetres"))
        .hasValue(300);
    assertThat(cluster.list(NEW).getFirst().spec().whole("metres")).hasValue(3);
    assertThat(world.delete(OLD, "r").object().spec().whole("centimetres")).hasValue(300);
  }
}
