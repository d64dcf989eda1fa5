package dev.sluice.conformance.controllers;

import dev.sluice.conformance.ApiClient;
import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.controllers.housekeeping.PodGarbageCollector;
import dev.sluice.controllers.nodes.lifecycle.TaintEviction;
import dev.sluice.model.tree.Tree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pods on a node that gets a taint. */
@RequiresKubernetes(RealKubernetes.Part.CONTROLLER_MANAGER)
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class TaintDifferentialIT extends ComparedControllers {
  private static final String PODS = "/api/v1/namespaces/" + NAMESPACE + "/pods";

  TaintDifferentialIT(RealKubernetes kubernetes, @TempDir Path folder) throws IOException {
    super(
        kubernetes,
        folder,
        ours -> List.of(new TaintEviction(ours), new PodGarbageCollector(ours)));
  }

  @Test
  void aTaintDrivesPodsAway() {
    both("POST", "/api/v1/nodes", "{apiVersion: v1, kind: Node, metadata: {name: tainted}}");
    for (String pod : List.of("weak", "strong", "short")) {
      String seconds = pod.equals("short") ? ", effect: NoExecute, tolerationSeconds: 1" : "";
      String tolerations =
          pod.equals("weak") ? "[]" : "[{key: k, operator: Exists" + seconds + "}]";
      both(
          "POST",
          PODS,
          """
          apiVersion: v1
          kind: Pod
          metadata: {name: %s}
          spec: {nodeName: tainted, tolerations: %s, containers: [{name: c, image: i}]}
          """
              .formatted(pod, tolerations));
    }
    both("PATCH", "/api/v1/nodes/tainted", "{spec: {taints: [{key: k, effect: NoExecute}]}}");
    for (String pod : List.of("weak", "short", "strong")) {
      boolean goes = !pod.equals("strong");
      Eventually.holds(
          "Kubernetes deletes " + pod,
          () -> podPicture(servers.real, pod).contains("going") == goes);
      Eventually.holds(
          "the same from us: " + podPicture(servers.real, pod),
          () -> podPicture(servers.ours, pod).equals(podPicture(servers.real, pod)));
    }
  }

  private static String podPicture(ApiClient client, String name) {
    Tree pod = send(client, "GET", PODS + "/" + name, "").body();
    var conditions = new TreeSet<String>();
    for (Tree condition : pod.trees("status", "conditions")) {
      if (condition.text("type").equals("DisruptionTarget")) {
        conditions.add(
            "%s: %s (generation %d)"
                .formatted(
                    condition.text("reason"),
                    condition.text("message"),
                    condition.whole("observedGeneration").orElse(0)));
      }
    }
    String going = pod.tree("metadata").has("deletionTimestamp") ? "going" : "staying";
    return "%s %s %s %s"
        .formatted(going, pod.at("spec", "tolerations"), conditions, told(client, name));
  }
}
