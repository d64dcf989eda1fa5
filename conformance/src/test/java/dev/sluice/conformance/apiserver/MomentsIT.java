package dev.sluice.conformance.apiserver;

import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.conformance.TwoServers;
import dev.sluice.model.tree.Tree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Moments, which our API server takes, shows and refuses as the real one does. */
@RequiresKubernetes
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MomentsIT {
  private final TwoServers servers;

  MomentsIT(RealKubernetes kubernetes, @TempDir Path folder) throws IOException {
    this.servers = new TwoServers(kubernetes, folder);
  }

  @AfterAll
  void close() {
    servers.close();
  }

  static final List<String> MOMENTS =
      List.of(
          "null",
          "''",
          "odd",
          "'2026-01-01T00:00:00.123456Z'",
          "'2026-01-01T00:00:00Z'",
          "'2026-01-01T00:00:00.5Z'",
          "'2026-01-01T00:00:00.123456789Z'",
          "'2026-01-01T00:00:00.123456+02:00'",
          "'2026-01-01T00:00:00.000000-23:59'",
          "'2026-01-01T00:00:00+02:00'",
          "'2024-02-29T23:30:00-01:30'",
          "'2026-01-01T00:00:00.999+00:00'",
          "'2026-01-01T00:00:00-00:00'",
          "'2026-01-01T00:00:00+0200'",
          "'2026-01-01T00:00:00+02'",
          "'2026-01-01T00:00:00+25:00'",
          "'2026-01-01T00:00:00+02:00:30'",
          "'2026-01-01T00:00Z'",
          "'2026-01-01T00:00:60Z'",
          "'2026-01-01'",
          "'2026-13-01T00:00:00.123456Z'");

  @ParameterizedTest
  @FieldSource("MOMENTS")
  void leasesAreRenewedAt(String moment) {
    Tree lease =
        TwoServers.yaml("{metadata: {name: moment}, spec: {renewTime: %s}}".formatted(moment));
    ask("/apis/coordination.k8s.io/v1/namespaces/default/leases", lease);
  }

  @ParameterizedTest
  @FieldSource("MOMENTS")
  void eventsHappenAt(String moment) {
    Tree event =
        TwoServers.yaml(
            "{metadata: {name: moment}, involvedObject: {namespace: default, kind: Pod, name: p},"
                + " reason: R, message: m, type: Normal, action: A, reportingComponent: c.io/c,"
                + " reportingInstance: i, eventTime: %s}".formatted(moment));
    ask("/api/v1/namespaces/default/events", event);
  }

  @ParameterizedTest
  @FieldSource("MOMENTS")
  void nodesAreTaintedAt(String moment) {
    Tree node =
        TwoServers.yaml(
            "{metadata: {name: moment}, spec: {taints: [{key: k, effect: NoExecute, timeAdded:"
                + " %s}]}}".formatted(moment));
    ask("/api/v1/nodes", node);
  }

  private void ask(String path, Tree body) {
    servers.ask(
        "POST",
        path + "?dryRun=All",
        TwoServers.JSON,
        body,
        answered ->
            List.of(
                answered.text("eventTime"),
                answered.text("spec", "renewTime"),
                // The real server adds another taint to new nodes.
                answered.trees("spec", "taints").stream().limit(1).toList().toString()));
  }
}
