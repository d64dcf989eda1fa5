package dev.sluice.apiserver.registry.rules.core;

import static dev.sluice.apiserver.registry.Samples.SECRET;
import static dev.sluice.apiserver.registry.World.fields;
import static dev.sluice.apiserver.registry.World.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.Samples;
import dev.sluice.apiserver.registry.World;
import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** ConfigMaps, Secrets, Nodes, Leases and Events. */
class ConfigurationTest {
  private final World world = new World();

  @Test
  void plainTextInASecretIsFoldedIntoItsData() {
    ApiObject secret =
        world.create(
            SECRET,
            """
            apiVersion: v1
            kind: Secret
            metadata: {name: s}
            data: {a: b2xk, b: b2xk}
            stringData: {a: new}
            """);

    assertThat(secret.tree().text("type")).isEqualTo("Opaque");
    assertThat(secret.tree().tree("data")).isEqualTo(Tree.of("a", "bmV3", "b", "b2xk"));
    assertThat(secret.tree().has("stringData")).isFalse();
  }

  @Test
  void frozenConfigurationStays() {
    ApiObject frozen =
        world.create(Kinds.CONFIG_MAP, Samples.configMap("a").with("immutable", true));

    ApiFailure data =
        refused(
            Reason.INVALID,
            () -> world.update(Kinds.CONFIG_MAP, frozen.with(List.of("data", "key"), "x")));
    ApiFailure thawed =
        refused(
            Reason.INVALID,
            () -> world.update(Kinds.CONFIG_MAP, frozen.without(List.of("immutable"))));

    assertThat(fields(data)).containsExactly("data");
    assertThat(fields(thawed)).containsExactly("immutable");
    assertThat(world.update(Kinds.CONFIG_MAP, frozen.withLabel("a", "b")).label("a"))
        .isEqualTo("b");
  }

  /** A body and the field that is refused of it. */
  record Bad(ResourceKind kind, String body, String field) {}

  private static Bad secret(String type, String data, String field) {
    return new Bad(
        SECRET,
        "{metadata: {name: a}, type: kubernetes.io/%s, stringData: {%s}}".formatted(type, data),
        field);
  }

  static final List<String> GOOD_SECRETS =
      List.of(
          "{type: kubernetes.io/dockerconfigjson, stringData: {.dockerconfigjson: '{}'}}",
          "{type: kubernetes.io/basic-auth, stringData: {password: ''}}",
          "{type: kubernetes.io/ssh-auth, stringData: {ssh-privatekey: k}}",
          "{type: kubernetes.io/tls, stringData: {tls.crt: '', tls.key: ''}}",
          "{type: example.com/any}");

  @ParameterizedTest
  @FieldSource("GOOD_SECRETS")
  void secretWithTheDataOfItsTypeIsTaken(String text) {
    Tree secret = World.yaml(text).with("metadata", Tree.of("name", "a"));

    assertThat(world.create(SECRET, secret).name()).isEqualTo("a");
  }

  @Test
  void basicCredentialsNeedANameOrAPassword() {
    ApiFailure failure =
        refused(
            Reason.INVALID,
            () -> world.create(SECRET, "{metadata: {name: a}, type: kubernetes.io/basic-auth}"));

    assertThat(fields(failure)).containsExactly("data[username]", "data[password]");
  }

  static final List<Bad> BAD =
      List.of(
          new Bad(Kinds.CONFIG_MAP, "{metadata: {name: a}, data: {a b: c}}", "data[a b]"),
          new Bad(
              Kinds.CONFIG_MAP,
              "{metadata: {name: a}, data: {a: b}, binaryData: {a: AAAA}}",
              "data[a]"),
          secret(
              "service-account-token",
              "",
              "metadata.annotations[kubernetes.io/service-account.name]"),
          secret("dockercfg", "", "data[.dockercfg]"),
          secret("dockerconfigjson", ".dockerconfigjson: 'nojson'", "data[.dockerconfigjson]"),
          secret("ssh-auth", "ssh-privatekey: ''", "data[ssh-privatekey]"),
          secret("tls", "tls.crt: c", "data[tls.key]"),
          new Bad(
              Kinds.NODE,
              "{metadata: {name: n}, status: {allocatable: {cpu: -1}}}",
              "status.allocatable[cpu]"),
          new Bad(
              Kinds.LEASE,
              "{metadata: {name: l}, spec: {leaseDurationSeconds: 0}}",
              "spec.leaseDurationSeconds"),
          new Bad(
              Kinds.EVENT,
              "{metadata: {name: e}, involvedObject: {namespace: other}}",
              "involvedObject.namespace"));

  @ParameterizedTest
  @FieldSource("BAD")
  void refuses(Bad c) {
    ApiFailure failure = refused(Reason.INVALID, () -> world.create(c.kind(), c.body()));

    assertThat(fields(failure)).containsExactly(c.field());
  }

  @Test
  void aNodesStatusIsWrittenApartAndInCanonicalQuantities() {
    ApiObject node = world.create(Kinds.NODE, "{apiVersion: v1, kind: Node, metadata: {name: n}}");

    ApiObject reported =
        world.updateStatus(
            Kinds.NODE,
            node.withStatus(World.yaml("{capacity: {cpu: 2000m, memory: 1073741824}}")));
    ApiObject updated = world.update(Kinds.NODE, reported.withStatus(Tree.EMPTY));

    assertThat(reported.status().tree("capacity"))
        .isEqualTo(Tree.of("cpu", "2", "memory", "1073741824"));
    assertThat(updated).isEqualTo(reported);
  }

  @Test
  void theCatalogueSaysWhatKubectlAsksFor() {
    ServedKind namespaces = world.served(Kinds.NAMESPACE);
    ServedKind pods = world.served(Kinds.POD);

    assertThat(namespaces.shortNames()).containsExactly("ns");
    assertThat(namespaces.verbs()).doesNotContain("deletecollection").contains("delete");
    assertThat(namespaces.subresources())
        .extracting(ServedKind.Subresource::name)
        .containsExactly("finalize", "status");
    assertThat(pods.categories()).containsExactly("all");
    assertThat(pods.subresources())
        .filteredOn(subresource -> subresource.name().equals("binding"))
        .extracting(ServedKind.Subresource::body)
        .containsExactly(Kinds.BINDING);
    assertThat(world.registry.kinds().getFirst().kind().group()).isEmpty();
  }
}
