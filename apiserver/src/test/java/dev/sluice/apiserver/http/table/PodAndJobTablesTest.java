package dev.sluice.apiserver.http.table;

import static dev.sluice.apiserver.http.table.Printed.META;
import static dev.sluice.apiserver.http.table.Printed.builtIn;
import static dev.sluice.apiserver.http.table.Printed.table;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.http.table.Printed.Case;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The kinds that have more to say than what their fields say. */
class PodAndJobTablesTest {
  static final List<Case> PODS =
      List.of(
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
              "x|0/1|Completed|0|5m|<none>|<none>|<none>|<none>"));

  static final List<Case> JOBS =
      List.of(
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
              "x|Terminating|0/1||5m|||<none>"));

  @ParameterizedTest
  @FieldSource({"PODS", "JOBS"})
  void prints(Case c) {
    Printed.assertPrinted(c);
  }

  @Test
  void finishedPodsAreMarked() {
    Tree table = table(builtIn(Kinds.POD), META + "status: {phase: Failed}");

    Tree condition = table.trees("rows").getFirst().trees("conditions").getFirst();
    assertThat(condition)
        .isEqualTo(Tree.of("type", "Completed", "status", "True", "reason", "Failed"));
  }
}
