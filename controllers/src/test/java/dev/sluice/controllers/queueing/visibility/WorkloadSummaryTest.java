package dev.sluice.controllers.queueing.visibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.testkit.Worlds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class WorkloadSummaryTest {

  /**
   * @param workload additional fields of its spec and status
   * @param localQueue the spec of its LocalQueue; empty if there is none
   * @param clusterQueue the spec of its ClusterQueue; empty if there is none
   * @param item the item of the visibility API; empty if there is none
   * @param want some of the lines of the summary
   */
  record Case(
      String name,
      String workload,
      String localQueue,
      String clusterQueue,
      String item,
      List<String> want) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String ACTIVE = "{clusterQueue: cq}";

  /** A whole queue instead of a spec. */
  private static final String INACTIVE =
      """
      status:
        conditions:
        - type: Active
          status: "False"
          reason: FlavorNotFound
          message: "Can't admit new workloads: references missing ResourceFlavor(s): spot."
      """;

  static List<Case> cases() {
    return List.of(
        new Case(
            "finished",
            condition("Finished", "Succeeded", "all done"),
            ACTIVE,
            "{}",
            "",
            List.of("n/w is finished, Succeeded: all done")),
        new Case(
            "switched off",
            "spec: {queueName: lq, active: false}",
            ACTIVE,
            "{}",
            "",
            List.of("n/w is switched off: set spec.active to true to queue it again.")),
        new Case(
            "switched off by the queue",
            """
            spec: {queueName: lq, active: false}
            status:
              conditions:
              - {type: Evicted, status: "True", reason: DeactivatedDueToAdmissionCheck, message: no budget}
            """,
            ACTIVE,
            "{}",
            "",
            List.of(
                "n/w is switched off: set spec.active to true to queue it again.",
                "it was evicted, DeactivatedDueToAdmissionCheck: no budget")),
        new Case(
            "must stop",
            """
            spec: {queueName: lq}
            status:
              admission: {clusterQueue: cq}
              conditions:
              - {type: QuotaReserved, status: "True"}
              - {type: Admitted, status: "True"}
              - {type: Evicted, status: "True", reason: Preempted, message: make room}
            """,
            ACTIVE,
            "{}",
            "",
            List.of(
                "n/w must stop, Preempted: make room. Its quota is free once its pods are gone.")),
        new Case(
            "being deleted",
            "{metadata: {deletionTimestamp: '2030-01-01T00:00:00Z'}, spec: {queueName: lq}}",
            ACTIVE,
            "{}",
            "",
            List.of("n/w is being deleted, and goes once nothing of it runs.")),
        new Case(
            "pods are missing after an eviction",
            """
            spec: {queueName: lq}
            status:
              conditions:
              - {type: Requeued, status: "False", reason: PodsReadyTimeout, message: too slow}
              - {type: WaitingForReplacementPods, status: "True", reason: PodsReadyTimeout, message: 2 pods}
            """,
            ACTIVE,
            "{}",
            "",
            List.of(
                "n/w waits for ClusterQueue cq",
                "it was evicted, PodsReadyTimeout: too slow",
                "it needs new pods in place of old ones, PodsReadyTimeout: 2 pods")),
        new Case(
            "a flavor of the ClusterQueue is missing",
            "spec: {queueName: lq}",
            ACTIVE,
            INACTIVE,
            "{positionInClusterQueue: 0, explanation: {standing: QueueInactive}}",
            List.of(
                "n/w waits, because its ClusterQueue cq admits no workloads. Can't admit new workloads:"
                    + " references missing ResourceFlavor(s): spot.")),
        new Case(
            "the status of the ClusterQueue lags behind",
            "spec: {queueName: lq}",
            ACTIVE,
            INACTIVE,
            "{positionInClusterQueue: 0, explanation: {standing: InLine}}",
            List.of("It is looked at when its turn comes.")),
        new Case(
            "checks are open",
            """
            spec: {queueName: lq}
            status:
              admission: {clusterQueue: cq}
              conditions: [{type: QuotaReserved, status: "True"}]
              admissionChecks: [{name: budget, state: Pending, message: asked}]
            """,
            ACTIVE,
            "{}",
            "",
            List.of(
                "n/w holds quota in ClusterQueue cq and waits for its admission checks.",
                "check budget is Pending: asked")),
        new Case(
            "no LocalQueue",
            "spec: {queueName: lq}",
            "",
            "",
            "",
            List.of(
                "n/w waits, because there is no LocalQueue lq in namespace n: create it, or name"
                    + " another.")),
        new Case(
            "stopped LocalQueue",
            "spec: {queueName: lq}",
            "{clusterQueue: cq, stopPolicy: Hold}",
            "{}",
            "",
            List.of("n/w waits, because its LocalQueue lq is stopped.")),
        new Case(
            "no ClusterQueue",
            "spec: {queueName: lq}",
            ACTIVE,
            "",
            "",
            List.of(
                "n/w waits, because its LocalQueue lq leads to ClusterQueue cq, which does not"
                    + " exist.")),
        new Case(
            "stopped ClusterQueue",
            "spec: {queueName: lq}",
            ACTIVE,
            "{stopPolicy: HoldAndDrain}",
            "",
            List.of("n/w waits, because its ClusterQueue cq is stopped.")),
        new Case(
            "not queued before a time",
            """
            spec: {queueName: lq}
            status: {requeueState: {requeueAt: "2030-01-01T00:00:00Z"}}
            """,
            ACTIVE,
            "{}",
            "",
            List.of("n/w waits for ClusterQueue cq", "it is requeued at 2030-01-01T00:00:00Z")),
        new Case(
            "listed, but backing off",
            """
            spec: {queueName: lq}
            status: {requeueState: {requeueAt: "2030-01-01T00:00:00Z"}}
            """,
            ACTIVE,
            "{}",
            "explanation: {standing: Resting}",
            List.of("n/w waits for ClusterQueue cq", "it is requeued at 2030-01-01T00:00:00Z")),
        new Case(
            "pending behind other namespaces, with victims",
            "spec: {queueName: lq}",
            ACTIVE,
            "{}",
            """
            positionInClusterQueue: 7
            positionInLocalQueue: 2
            localQueueName: lq
            explanation:
              standing: Preempting
              ahead: 7
              firstAhead: [n/other]
              givingWay: 2
              waitsFor: [{workload: n/victim, reason: InClusterQueue}]
              podSets:
              - name: main
                uncovered: [resource gpu unavailable in ClusterQueue]
                flavors:
                - {name: spot, fits: true}
                - {name: odd, obstacles: [flavor odd doesn't match node affinity]}
                - name: plain
                  shortages:
                  - resource: cpu
                    requested: "4"
                    missing: "2"
                    capacity: "8"
                    limit: CohortQuota
                    node: all
                    others: "1"
                    holders: [{clusterQueue: rich, amount: "5", workloads: 2}]
            """,
            List.of(
                "n/w waits in ClusterQueue cq at place 8 (place 3 of LocalQueue lq).",
                "Other workloads are being preempted for it.",
                "7 ahead of it: n/other, ...",
                "  resource gpu unavailable in ClusterQueue",
                "  flavor spot: has room",
                "  flavor odd: flavor odd doesn't match node affinity",
                "  flavor plain: 2 more cpu needed of the quota of cohort all; held by rich 5 (2"
                    + " workloads), others 1",
                "2 still being preempted: n/victim")));
  }

  private static String condition(String type, String reason, String message) {
    return "{spec: {queueName: lq}, status: {conditions: [{type: %s, status: 'True', reason: %s, message: %s}]}}"
        .formatted(type, reason, message);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void summaryHasStateAndDetails(Case test) {
    Tree given = tree(test.workload);
    Tree workload =
        given.with("metadata", given.tree("metadata").with("name", "w").with("namespace", "n"));

    WorkloadSummary story =
        WorkloadSummary.of(
            new Workload(Worlds.yaml(Yaml.write(workload))),
            spec(test.localQueue, "lq").map(LocalQueue::new),
            spec(test.clusterQueue, "cq").map(ClusterQueue::new),
            test.item.isEmpty() ? Optional.empty() : Optional.of(tree(test.item)));

    var lines = new ArrayList<String>();
    lines.add(story.sentence());
    lines.addAll(story.details());
    assertThat(lines).containsAll(test.want);
  }

  private static Optional<ApiObject> spec(String text, String name) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Tree given = tree(text);
    Tree queue = given.has("status") ? given : Tree.of("spec", given);
    return Optional.of(Worlds.yaml(Yaml.write(queue.with("metadata", Tree.of("name", name)))));
  }

  private static Tree tree(String yaml) {
    return Yaml.parseAll(yaml).getFirst().asTree();
  }
}
