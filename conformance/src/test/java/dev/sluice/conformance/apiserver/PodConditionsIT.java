package dev.sluice.conformance.apiserver;

import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.conformance.TwoServers;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What our API server itself says in the status of pods, beside the real one. */
@RequiresKubernetes
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PodConditionsIT {
  private static final String PODS = "/api/v1/namespaces/default/pods";

  private final TwoServers servers;

  PodConditionsIT(RealKubernetes kubernetes, @TempDir Path folder) throws IOException {
    this.servers = new TwoServers(kubernetes, folder);
  }

  @AfterAll
  void close() {
    servers.close();
  }

  @Test
  void aPodThatWasHeldBackIsPutOnANode() {
    create("held", ", schedulingGates: [{name: g.io/g}]");
    look("held");
    change("held", "", "{spec: {schedulingGates: null}}");
    look("held");
    bind("held", "n");
    look("held");
  }

  @Test
  void aPodThatWasToldOfNoNodeIsPutOnOne() {
    create("told", "");
    change(
        "told",
        "/status",
        "{status: {conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable,"
            + " message: m, observedGeneration: 1}, {type: example.com/odd, status: 'True'}],"
            + " nominatedNodeName: n}}");
    bind("told", "n");
    look("told");
  }

  @Test
  void aPodIsLabelledWithTheZoneOfItsNode() {
    servers.post(
        "/api/v1/nodes",
        "{metadata: {name: zone-node, labels: {topology.kubernetes.io/zone: z,"
            + " topology.kubernetes.io/region: r, disk: ssd}}}");
    Eventually.holds(
        "the real server has heard of the node",
        () ->
            servers
                .real
                .send("POST", PODS + "?dryRun=All", TwoServers.JSON, PLACED)
                .body()
                .tree("metadata", "labels")
                .has("topology.kubernetes.io/zone"));
    create("zoned", "");
    bind("zoned", "zone-node");
    look("zoned");
    create("placed", ", nodeName: zone-node");
    look("placed");
  }

  private static final String PLACED =
      Json.write(
          TwoServers.yaml(
              "{metadata: {name: x}, spec: {nodeName: zone-node, containers: [{name: a, image:"
                  + " i}]}}"));

  @Test
  void aPodIsEvicted() {
    create("evicted", "");
    bind("evicted", "n");
    post("/evicted/eviction", "{apiVersion: policy/v1, kind: Eviction, metadata: {name: evicted}}");
    look("evicted");
  }

  private void create(String name, String more) {
    post(
        "",
        "{metadata: {name: %s}, spec: {containers: [{name: a, image: i}]%s}}"
            .formatted(name, more));
  }

  private void bind(String pod, String node) {
    post(
        "/" + pod + "/binding",
        "{apiVersion: v1, kind: Binding, metadata: {name: %s}, target: {kind: Node, name: %s}}"
            .formatted(pod, node));
  }

  private void post(String path, String body) {
    servers.ask("POST", PODS + path, TwoServers.JSON, TwoServers.yaml(body), _ -> List.of());
  }

  private void change(String pod, String subresource, String changes) {
    servers.ask(
        "PATCH",
        PODS + "/" + pod + subresource,
        TwoServers.MERGE,
        TwoServers.yaml(changes),
        PodConditionsIT::shown);
  }

  private void look(String pod) {
    servers.ask("GET", PODS + "/" + pod, "", Tree.EMPTY, PodConditionsIT::shown);
  }

  private static List<String> shown(Tree pod) {
    var shown = new ArrayList<String>();
    shown.add("labels " + pod.at("metadata", "labels"));
    shown.add("generation " + pod.at("metadata", "generation"));
    shown.add("observed " + pod.at("status", "observedGeneration"));
    shown.add("nominated " + pod.at("status", "nominatedNodeName"));
    for (Tree condition : pod.trees("status", "conditions")) {
      shown.add(condition.without("lastTransitionTime").without("lastProbeTime").toString());
    }
    return shown;
  }
}
