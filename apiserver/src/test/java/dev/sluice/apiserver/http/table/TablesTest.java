package dev.sluice.apiserver.http.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.ServedKind;
import dev.sluice.apiserver.registry.ServedKind.Column;
import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class TablesTest {
  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
  private static final ResourceKind LIMIT_RANGE =
      new ResourceKind("", "v1", "LimitRange", "limitranges", true);

  record Case(String name, ResourceKind kind, String object, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String META =
      "metadata: {name: x, creationTimestamp: '2026-05-01T11:55:00Z'}\n";

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
              "a pod that waits",
              Kinds.POD,
              META + "spec: {containers: [{name: a}, {name: b}]}\nstatus: {phase: Pending}",
              "x|0/2|Pending|0|5m|<none>|<none>|<none>|<none>"),
          new Case(
              "a pod that runs",
              Kinds.POD,
              META
                  + """
                  spec: {nodeName: n1, containers: [{name: a}], readinessGates: [{conditionType: G}]}
                  status:
                    phase: Running
                    podIP: 10.0.0.1
                    podIPs: [{ip: 10.0.0.1}]
                    conditions: [{type: Ready, status: "True"}, {type: G, status: "True"}]
                    containerStatuses:
                    - name: a
                      ready: true
                      restartCount: 2
                      state: {running: {}}
                      lastState: {terminated: {finishedAt: '2026-05-01T11:59:00Z'}}
                  """,
              "x|1/1|Running|2 (60s ago)|5m|10.0.0.1|n1|<none>|1/1"),
          new Case(
              "a pod in a crash loop",
              Kinds.POD,
              META
                  + """
                  spec: {containers: [{name: a}]}
                  status:
                    phase: Running
                    containerStatuses:
                    - {name: a, state: {waiting: {reason: CrashLoopBackOff}}, restartCount: 3}
                  """,
              "x|0/1|CrashLoopBackOff|3|5m|<none>|<none>|<none>|<none>"),
          new Case(
              "a pod that is gated",
              Kinds.POD,
              META
                  + """
                  spec: {containers: [{name: a}]}
                  status:
                    phase: Pending
                    conditions: [{type: PodScheduled, status: "False", reason: SchedulingGated}]
                  """,
              "x|0/1|SchedulingGated|0|5m|<none>|<none>|<none>|<none>"),
          new Case(
              "a pod in its second init container",
              Kinds.POD,
              META
                  + """
                  spec: {initContainers: [{name: i}, {name: j}], containers: [{name: a}]}
                  status:
                    phase: Pending
                    initContainerStatuses:
                    - {name: i, state: {terminated: {exitCode: 0}}}
                    - {name: j, state: {running: {}}}
                  """,
              "x|0/1|Init:1/2|0|5m|<none>|<none>|<none>|<none>"),
          new Case(
              "a pod whose init container failed",
              Kinds.POD,
              META
                  + """
                  spec: {initContainers: [{name: i}], containers: [{name: a}]}
                  status:
                    phase: Pending
                    initContainerStatuses: [{name: i, state: {terminated: {exitCode: 3}}}]
                  """,
              "x|0/1|Init:ExitCode:3|0|5m|<none>|<none>|<none>|<none>"),
          new Case(
              "a pod that is being deleted",
              Kinds.POD,
              """
              metadata:
                name: x
                creationTimestamp: '2026-05-01T11:55:00Z'
                deletionTimestamp: '2026-05-01T12:00:30Z'
              spec: {containers: [{name: a}]}
              status: {phase: Running}
              """,
              "x|0/1|Terminating|0|5m|<none>|<none>|<none>|<none>"),
          new Case(
              "a pod that has finished",
              Kinds.POD,
              META
                  + """
                  spec: {containers: [{name: a}]}
                  status:
                    phase: Succeeded
                    containerStatuses: [{name: a, state: {terminated: {reason: Completed}}}]
                  """,
              "x|0/1|Completed|0|5m|<none>|<none>|<none>|<none>"),
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
              "a job half way",
              Kinds.JOB,
              META
                  + """
                  spec:
                    completions: 4
                    selector: {matchLabels: {job: x}}
                    template: {spec: {containers: [{name: a, image: i}, {name: b, image: j}]}}
                  status: {succeeded: 2, startTime: '2026-05-01T11:58:00Z'}
                  """,
              "x|Running|2/4|2m|5m|a,b|i,j|job=x"),
          new Case(
              "a job that is complete",
              Kinds.JOB,
              META
                  + """
                  spec: {parallelism: 3}
                  status:
                    succeeded: 1
                    startTime: '2026-05-01T11:58:00Z'
                    completionTime: '2026-05-01T11:58:30Z'
                    conditions: [{type: Complete, status: "True"}]
                  """,
              "x|Complete|1/1 of 3|30s|5m|||<none>"),
          new Case(
              "a suspended job",
              Kinds.JOB,
              META
                  + "spec: {completions: 1}\n"
                  + "status: {conditions: [{type: Suspended, status: 'True'}]}",
              "x|Suspended|0/1||5m|||<none>"),
          new Case(
              "a job that failed, whose time goes on",
              Kinds.JOB,
              META
                  + """
                  spec: {parallelism: 1}
                  status:
                    startTime: '2026-05-01T11:58:00Z'
                    conditions:
                    - {type: FailureTarget, status: "True"}
                    - {type: Failed, status: "True"}
                  """,
              "x|Failed|0/1|2m|5m|||<none>"),
          new Case(
              "a job that is about to fail",
              Kinds.JOB,
              META + "status: {conditions: [{type: FailureTarget, status: 'True'}]}",
              "x|FailureTarget|0/1||5m|||<none>"),
          new Case(
              "a job that is about to complete",
              Kinds.JOB,
              META + "status: {conditions: [{type: SuccessCriteriaMet, status: 'True'}]}",
              "x|SuccessCriteriaMet|0/1||5m|||<none>"),
          new Case(
              "a suspended job that is being deleted",
              Kinds.JOB,
              """
              metadata:
                name: x
                creationTimestamp: '2026-05-01T11:55:00Z'
                deletionTimestamp: '2026-05-01T12:00:30Z'
              status: {conditions: [{type: Suspended, status: "True"}]}
              """,
              "x|Terminating|0/1||5m|||<none>"),
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

  private static ServedKind served(ResourceKind kind, boolean builtIn, List<Column> columns) {
    return new ServedKind(
        kind, "", List.of(), List.of(), List.of(), List.of(), builtIn, Schema.ANY, columns);
  }

  private static Tree table(ServedKind kind, String yaml) {
    var object = ApiObject.of(Yaml.parseAll(yaml).getFirst());
    return Tables.of(
        kind,
        List.of(object),
        Tree.EMPTY,
        new Tables.Style(Tables.Include.METADATA, "v1"),
        true,
        NOW);
  }

  private static String cells(Tree table) {
    List<String> cells =
        table.trees("rows").getFirst().items("cells").stream()
            .map(cell -> cell instanceof Value.Text(String text) ? text : cell.toString())
            .toList();
    return String.join("|", cells);
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void prints(Case c) {
    Tree table = table(served(c.kind(), true, List.of()), c.object());

    assertThat(cells(table)).isEqualTo(c.want());
    assertThat(table.trees("columnDefinitions"))
        .hasSize(table.trees("rows").getFirst().items("cells").size());
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
            served(Kinds.WORKLOAD, false, columns),
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
    assertThat(cells(table(served(Kinds.WORKLOAD, false, List.of()), META))).isEqualTo("x|5m");
  }

  @Test
  void finishedPodsAreMarked() {
    Tree table = table(served(Kinds.POD, true, List.of()), META + "status: {phase: Failed}");

    Tree condition = table.trees("rows").getFirst().trees("conditions").getFirst();
    assertThat(condition)
        .isEqualTo(Tree.of("type", "Completed", "status", "True", "reason", "Failed"));
  }
}
