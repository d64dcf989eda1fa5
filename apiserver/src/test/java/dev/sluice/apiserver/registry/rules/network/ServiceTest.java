package dev.sluice.apiserver.registry.rules.network;

import static dev.sluice.model.Kinds.SERVICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.World;
import dev.sluice.apiserver.registry.World.Bad;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class ServiceTest {
  private static final List<String> ADDRESS = List.of("spec", "clusterIP");

  private final World world = new World();

  private static String service(String name, String spec) {
    return "{apiVersion: v1, kind: Service, metadata: {name: %s}, spec: {%s}}"
        .formatted(name, spec);
  }

  private static Bad bad(String spec, String field) {
    return new Bad(SERVICE, service("x", spec), field);
  }

  static final List<Bad> BAD =
      List.of(
          new Bad(SERVICE, service("1x", "ports: [{port: 80}]"), "metadata.name"),
          bad("selector: {a: b}", "spec.ports"),
          bad("ports: [{port: 0}]", "spec.ports[0].port"),
          bad("ports: [{port: 80, protocol: ICMP}]", "spec.ports[0].protocol"),
          bad("ports: [{port: 80, targetPort: 70000}]", "spec.ports[0].targetPort"),
          bad("ports: [{port: 80, targetPort: A}]", "spec.ports[0].targetPort"),
          bad("ports: [{port: 80}, {name: b, port: 81}]", "spec.ports[0].name"),
          bad("ports: [{name: a, port: 80}, {name: a, port: 81}]", "spec.ports[1].name"),
          bad("ports: [{name: a, port: 80}, {name: b, port: 80}]", "spec.ports[1]"),
          bad("type: Tunnel, ports: [{port: 80}]", "spec.type"),
          bad("type: ExternalName", "spec.externalName"),
          bad("sessionAffinity: Cookie, ports: [{port: 80}]", "spec.sessionAffinity"));

  @ParameterizedTest
  @FieldSource("BAD")
  void refuses(Bad c) {
    world.assertRefused(c);
  }

  @Test
  void everyServiceGetsAnAddressOfItsOwn() {
    ApiObject first = world.create(SERVICE, service("a", "ports: [{port: 80}]"));
    ApiObject second = world.create(SERVICE, service("b", "ports: [{port: 80}]"));

    assertThat(first.spec().text("clusterIP")).matches("10\\.(9[6-9]|10[0-9]|11[01])\\..*");
    assertThat(first.spec().textItems("clusterIPs"))
        .containsExactly(first.spec().text("clusterIP"));
    assertThat(second.spec().text("clusterIP")).isNotEqualTo(first.spec().text("clusterIP"));
    assertThat(first.spec().text("type")).isEqualTo("ClusterIP");
    assertThat(first.spec().trees("ports"))
        .containsExactly(Tree.of("port", 80, "protocol", "TCP", "targetPort", 80));
    assertThat(first.status()).isEqualTo(Tree.of("loadBalancer", Tree.EMPTY));
  }

  @Test
  void takenAddressIsNotGivenAgain() {
    ApiObject first = world.create(SERVICE, service("a", "ports: [{port: 80}]"));
    String address = first.spec().text("clusterIP");
    world.delete(SERVICE, "a");
    world.create(SERVICE, service("other", "clusterIP: " + address + ", ports: [{port: 80}]"));

    ApiObject again = world.create(SERVICE, service("a", "ports: [{port: 80}]"));

    assertThat(again.spec().text("clusterIP")).isNotEqualTo(address);
  }

  @Test
  void headlessServiceHasNoAddressAndNeedsNoPorts() {
    ApiObject headless = world.create(SERVICE, service("a", "clusterIP: None, selector: {a: b}"));

    assertThat(headless.spec().text("clusterIP")).isEqualTo("None");
  }

  @Test
  void addressStaysWhateverAnUpdateSays() {
    ApiObject before = world.create(SERVICE, service("a", "ports: [{port: 80}]"));

    ApiObject left = world.update(SERVICE, before.without(ADDRESS));
    assertThat(left.spec().at("clusterIP")).isEqualTo(before.spec().at("clusterIP"));
    ApiFailure refused =
        World.refused(
            Reason.INVALID, () -> world.update(SERVICE, left.with(ADDRESS, "10.96.0.77")));
    assertThat(World.fields(refused)).containsExactly("spec.clusterIP");
  }
}
