package dev.sluice.apiserver.registry;

import static dev.sluice.apiserver.registry.World.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How pods get onto nodes. */
class BindingTest {
  private final World world = new World();

  private Tree bind(String pod, String metadata, String node) {
    Tree binding =
        World.yaml(
            "{apiVersion: v1, kind: Binding, metadata: %s, target: {kind: Node, name: %s}}"
                .formatted(metadata, node));
    return world.registry.post(
        world.served(Kinds.POD), "default", pod, "binding", binding, world.options);
  }

  @Test
  void aBindingPutsThePodOnItsNode() {
    ApiObject pod = world.create(Kinds.POD, Samples.pod("p"));

    Tree answer =
        bind("p", "{name: p, uid: %s, annotations: {why: fits}}".formatted(pod.uid()), "node-1");

    ApiObject bound = world.get(Kinds.POD, "p");
    assertThat(answer.text("status")).isEqualTo("Success");
    assertThat(answer.whole("code")).hasValue(201);
    assertThat(bound.spec().text("nodeName")).isEqualTo("node-1");
    assertThat(bound.annotation("why")).isEqualTo("fits");
    assertThat(bound.generation()).isEqualTo(1);
    assertThat(bound.status().trees("conditions"))
        .containsExactly(
            Tree.of(
                "type",
                "PodScheduled",
                "status",
                "True",
                "lastTransitionTime",
                "2026-01-01T00:00:00Z"));
  }

  @Test
  void aPodIsLabelledWithTheZoneOfItsNode() {
    String labels = "{topology.kubernetes.io/zone: z, topology.kubernetes.io/region: r, disk: ssd}";
    world.create(
        Kinds.NODE,
        World.yaml(
            "{apiVersion: v1, kind: Node, metadata: {name: node-1, labels: %s}}"
                .formatted(labels)));
    world.create(Kinds.POD, Samples.pod("p"));
    Tree placed = Samples.pod("q").with(List.of("spec", "nodeName"), "node-1");

    bind("p", "{name: p, labels: {team: a}}", "node-1");

    assertThat(world.get(Kinds.POD, "p").labels())
        .containsEntry("topology.kubernetes.io/zone", "z")
        .containsEntry("topology.kubernetes.io/region", "r")
        .containsEntry("team", "a")
        .doesNotContainKey("disk");
    assertThat(world.create(Kinds.POD, placed).labels())
        .containsEntry("topology.kubernetes.io/zone", "z");
  }

  @Test
  void aPodOnItsNodeNeedsNoRoomKeptElsewhere() {
    ApiObject pod = world.create(Kinds.POD, Samples.pod("p"));
    world.updateStatus(Kinds.POD, pod.withStatus(pod.status().with("nominatedNodeName", "node-1")));
    bind("p", "{name: p}", "node-2");

    assertThat(world.get(Kinds.POD, "p").status().has("nominatedNodeName")).isFalse();
  }

  @Test
  void aBindingIsRefusedForAPodThatCannotBeBound() {
    world.create(Kinds.POD, Samples.pod("bound"));
    bind("bound", "{name: bound}", "node-1");
    world.create(
        Kinds.POD,
        Samples.pod("gated")
            .with(List.of("spec", "schedulingGates"), List.of(Tree.of("name", "a"))));
    world.create(
        Kinds.POD, new ApiObject(Samples.pod("leaving")).withFinalizer("example.com/x").tree());
    world.delete(Kinds.POD, "leaving");
    world.create(Kinds.POD, Samples.pod("other"));

    ApiFailure bound = refused(Reason.CONFLICT, () -> bind("bound", "{name: bound}", "node-2"));
    refused(Reason.CONFLICT, () -> bind("gated", "{name: gated}", "node-2"));
    refused(Reason.CONFLICT, () -> bind("leaving", "{name: leaving}", "node-2"));
    refused(Reason.CONFLICT, () -> bind("other", "{name: other, uid: x}", "node-2"));
    refused(Reason.INVALID, () -> bind("other", "{name: other}", "''"));
    refused(Reason.NOT_FOUND, () -> bind("missing", "{name: missing}", "node-2"));

    assertThat(bound.kind()).isEqualTo("pods/binding");
    assertThat(bound.message()).contains("pod bound is already assigned to node \"node-1\"");
  }
}
