package dev.sluice.conformance.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.conformance.TwoServers;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The tables of the same objects, by our API server and the real one: what kubectl prints. */
@RequiresKubernetes
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TablesIT {
  private static final String CORE = "/api/v1/namespaces/default/";
  private static final String AGE = "\"([0-9]+[ydhms])+\"";

  private static final String UID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

  private final TwoServers servers;

  TablesIT(RealKubernetes kubernetes, @TempDir Path folder) throws IOException {
    this.servers = new TwoServers(kubernetes, folder);
  }

  @AfterAll
  void close() {
    servers.close();
  }

  /** An object that is created below a path, without its metadata. */
  record Sample(String path, String fields) {
    @Override
    public String toString() {
      return path;
    }
  }

  private static final String TEMPLATE =
      "template: {spec: {restartPolicy: Never, containers: [{name: a, image: i}]}}";

  static final List<Sample> SAMPLES =
      List.of(
          new Sample(CORE + "configmaps", "data: {a: b, c: d}, binaryData: {e: Zg==}"),
          new Sample(CORE + "secrets", "type: example.com/odd, data: {a: Yg==}"),
          new Sample(CORE + "serviceaccounts", ""),
          new Sample(
              CORE + "events",
              "involvedObject: {kind: Pod, namespace: default, name: p, fieldPath:"
                  + " 'spec.containers{main}'}, reason: R, message: 'm ', type: Normal, count: 3,"
                  + " firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp:"
                  + " '2026-01-02T00:00:00Z', source: {component: c, host: h}"),
          new Sample(
              "/apis/events.k8s.io/v1/namespaces/default/events",
              "regarding: {kind: Pod, namespace: default, name: p}, reason: R, note: m, type:"
                  + " Warning, eventTime: '2026-01-01T00:00:00.000000Z', action: A,"
                  + " reportingController: c.io/c, reportingInstance: i, series: {count: 4,"
                  + " lastObservedTime: '2026-01-02T00:00:00.000000Z'}"),
          new Sample(
              "/apis/events.k8s.io/v1/namespaces/default/events",
              "regarding: {kind: Pod, namespace: default, name: p}, reason: R, note: m, type:"
                  + " Normal, eventTime: '2026-01-01T00:00:00.000000Z', action: A,"
                  + " reportingController: c.io/c, reportingInstance: i"),
          new Sample(CORE + "pods", "spec: {containers: [{name: a, image: i}]}"),
          new Sample(CORE + "resourcequotas", "spec: {hard: {pods: 5}}"),
          new Sample(CORE + "limitranges", "spec: {limits: [{type: Pod, max: {cpu: 1}}]}"),
          new Sample(
              CORE + "persistentvolumeclaims",
              "spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}"),
          new Sample(
              "/api/v1/persistentvolumes",
              "spec: {accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}, hostPath: {path:"
                  + " /a}}"),
          new Sample("/api/v1/nodes", "spec: {unschedulable: true}"),
          new Sample("/api/v1/namespaces", ""),
          new Sample(
              "/apis/batch/v1/namespaces/default/jobs", "spec: {completions: 3, " + TEMPLATE + "}"),
          new Sample(
              "/apis/batch/v1/namespaces/default/cronjobs",
              "spec: {schedule: '* * * * *', jobTemplate: {spec: {" + TEMPLATE + "}}}"),
          new Sample(
              "/apis/coordination.k8s.io/v1/namespaces/default/leases",
              "spec: {holderIdentity: me, leaseDurationSeconds: 5}"),
          new Sample(
              "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
              "spec: {minAvailable: 10%, selector: {}}"),
          new Sample("/apis/scheduling.k8s.io/v1/priorityclasses", "value: 7"),
          new Sample("/apis/node.k8s.io/v1/runtimeclasses", "handler: h"),
          new Sample("/apis/storage.k8s.io/v1/storageclasses", "provisioner: p.io/p"));

  @ParameterizedTest
  @FieldSource("SAMPLES")
  void theSameIsPrintedOfTheSameObject(Sample c) {
    servers.post(c.path(), "{metadata: {name: table-row}, " + c.fields() + "}");

    String one = c.path() + "/table-row";
    try {
      assertThat(printed(servers.ours.table(one))).isEqualTo(printed(servers.real.table(one)));
    } finally {
      servers.ours.send("DELETE", one, "", "");
      servers.real.send("DELETE", one, "", "");
    }
  }

  /** The heads of the columns, and the cells as they are written; ages differ by a moment. */
  private static List<String> printed(Tree table) {
    var printed = new ArrayList<String>();
    for (Tree column : table.trees("columnDefinitions")) {
      printed.add(
          "%s %s %s %d"
              .formatted(
                  column.text("name"),
                  column.text("type"),
                  column.text("format"),
                  column.whole("priority").orElse(0)));
    }
    for (Tree row : table.trees("rows")) {
      for (Value cell : row.items("cells")) {
        printed.add(
            Tree.of("cell", cell).toString().replaceAll(AGE, "an age").replaceAll(UID, "a uid"));
      }
    }
    return printed;
  }
}
