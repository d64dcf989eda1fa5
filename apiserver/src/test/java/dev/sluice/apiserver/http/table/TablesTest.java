package dev.sluice.apiserver.http.table;

import static dev.sluice.apiserver.http.table.Printed.META;
import static dev.sluice.apiserver.http.table.Printed.cells;
import static dev.sluice.apiserver.http.table.Printed.custom;
import static dev.sluice.apiserver.http.table.Printed.table;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.http.table.Printed.Case;
import dev.sluice.apiserver.registry.kind.ServedKind.Column;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class TablesTest {
  private static final ResourceKind LIMIT_RANGE =
      new ResourceKind("", "v1", "LimitRange", "limitranges", true);

  static final List<Case> CASES =
      List.of(
          new Case(
              "a cron job",
              Kinds.CRON_JOB,
              META
                  + """
                  spec:
                    schedule: "0 * * * *"
                    suspend: true
                    jobTemplate: {spec: {template: {spec: {containers: [{name: a, image: i}]}}}}
                  status: {active: [{name: b}], lastScheduleTime: '2026-05-01T11:59:00Z'}
                  """,
              "x|0 * * * *|<none>|True|1|60s|5m|a|i|<none>"),
          new Case(
              "a cron job that never ran",
              Kinds.CRON_JOB,
              META + "spec: {schedule: '@daily', timeZone: Etc/UTC}",
              "x|@daily|Etc/UTC|False|0|<none>|5m|||<none>"),
          new Case(
              "a disruption budget",
              Kinds.POD_DISRUPTION_BUDGET,
              META + "spec: {maxUnavailable: 10%}\nstatus: {disruptionsAllowed: 2}",
              "x|N/A|10%|2|5m"),
          new Case(
              "a ready node that takes no pods",
              Kinds.NODE,
              """
              metadata:
                name: x
                labels: {node-role.kubernetes.io/worker: "", kubernetes.io/role: gpu}
              spec: {unschedulable: true}
              status:
                conditions: [{type: Ready, status: "True"}]
                nodeInfo: {kubeletVersion: v1.36.0}
                addresses: [{type: InternalIP, address: 10.1.1.1}]
              """,
              "x|Ready,SchedulingDisabled|gpu,worker|<unknown>|v1.36.0|10.1.1.1|<none>|<unknown>"
                  + "|<unknown>|<unknown>"),
          new Case(
              "an event",
              Kinds.EVENT,
              META
                  + """
                  type: Warning
                  reason: FailedScheduling
                  message: "no room \\n"
                  count: 4
                  firstTimestamp: '2026-05-01T11:00:00Z'
                  lastTimestamp: '2026-05-01T11:59:30Z'
                  involvedObject: {kind: Pod, name: p}
                  source: {component: scheduler}
                  """,
              "30s|Warning|FailedScheduling|pod/p||scheduler|no room|60m|4|x"),
          new Case("a namespace", Kinds.NAMESPACE, META + "status: {phase: Active}", "x|Active|5m"),
          new Case(
              "a config map",
              Kinds.CONFIG_MAP,
              META + "data: {a: b, c: d}\nbinaryData: {e: Zg==}",
              "x|3|5m"),
          new Case(
              "a quota",
              Kinds.RESOURCE_QUOTA,
              META
                  + """
                  status:
                    hard: {limits.cpu: '8', pods: '10', requests.cpu: '4'}
                    used: {limits.cpu: '2', pods: '3', requests.cpu: 500m}
                  """,
              "x|pods: 3/10, requests.cpu: 500m/4|limits.cpu: 2/8|5m"),
          new Case(
              "a claim with its volume",
              Kinds.PERSISTENT_VOLUME_CLAIM,
              META
                  + """
                  spec: {volumeName: v, storageClassName: fast, volumeMode: Filesystem}
                  status:
                    {phase: Bound, capacity: {storage: 2Gi}, accessModes: [ReadWriteOnce, ReadOnlyMany]}
                  """,
              "x|Bound|v|2Gi|RWO,ROX|fast|<unset>|5m|Filesystem"),
          new Case(
              "a claim that waits",
              Kinds.PERSISTENT_VOLUME_CLAIM,
              META + "spec: {accessModes: [ReadWriteOncePod]}\nstatus: {phase: Pending}",
              "x|Pending|||||<unset>|5m|<unset>"),
          new Case(
              "a volume",
              Kinds.PERSISTENT_VOLUME,
              META
                  + """
                  spec:
                    capacity: {storage: 2Gi}
                    accessModes: [ReadWriteOncePod, ReadWriteMany]
                    persistentVolumeReclaimPolicy: Retain
                    claimRef: {namespace: n, name: c}
                    volumeMode: Block
                  status: {phase: Bound}
                  """,
              "x|2Gi|RWOP,RWX|Retain|Bound|n/c||<unset>||5m|Block"),
          new Case(
              "a class of storage",
              Kinds.STORAGE_CLASS,
              "metadata: {name: x, creationTimestamp: '2026-05-01T11:55:00Z', annotations:"
                  + " {storageclass.kubernetes.io/is-default-class: 'true'}}\n"
                  + "provisioner: a/b\nreclaimPolicy: Delete\nvolumeBindingMode: Immediate",
              "x (default)|a/b|Delete|Immediate|false|5m"),
          new Case("a lease", Kinds.LEASE, META + "spec: {holderIdentity: me}", "x|me|5m"),
          new Case(
              "a definition", Kinds.CUSTOM_RESOURCE_DEFINITION, META, "x|2026-05-01T11:55:00Z"),
          new Case("any other kind", LIMIT_RANGE, META, "x|2026-05-01T11:55:00Z"));

  @ParameterizedTest
  @FieldSource("CASES")
  void prints(Case c) {
    Printed.assertPrinted(c);
  }

  @Test
  void customKindsPrintTheColumnsTheyDeclare() {
    List<Column> columns =
        List.of(
            new Column("Queue", "string", "", "", 0, ".spec.queueName"),
            new Column(
                "Admitted",
                "string",
                "",
                "",
                0,
                ".status.conditions[?(@.type==\"Admitted\")].status"),
            new Column("Count", "integer", "", "", 0, ".spec.count"),
            new Column("Text", "integer", "", "", 0, ".spec.queueName"),
            new Column("On", "boolean", "", "", 0, ".spec.on"),
            new Column("Set", "string", "", "", 1, ".spec.set"),
            new Column("Wrong", "string", "", "", 0, ".spec["),
            new Column("Since", "date", "", "", 0, ".metadata.creationTimestamp"),
            new Column("Never", "date", "", "", 0, ".status.never"));
    Tree table =
        table(
            custom(Kinds.WORKLOAD, columns),
            META
                + """
                spec: {queueName: q, count: 3, on: true, set: {a: 1}}
                status: {conditions: [{type: Admitted, status: "True"}]}
                """);

    assertThat(cells(table)).isEqualTo("x|q|True|3|null|true|{\"a\":1}|null|5m|null");
    assertThat(table.trees("columnDefinitions").getFirst().text("format")).isEqualTo("name");
    assertThat(table.trees("columnDefinitions").get(6).whole("priority")).hasValue(1);
  }

  @Test
  void customKindsWithoutColumnsPrintTheirAge() {
    assertThat(cells(table(custom(Kinds.WORKLOAD, List.of()), META))).isEqualTo("x|5m");
  }
}
