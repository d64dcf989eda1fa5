package dev.sluice.controllers.queueing.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class WorkloadExplainerTest {

  /**
   * @param subject the object that is explained
   * @param others the other objects of the cluster
   * @param want lines of the explanation
   */
  record Case(String name, String subject, String others, List<String> want) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: j
        namespace: n
        uid: job-1
        labels: {kueue.x-k8s.io/queue-name: lq}
      """;

  private static final String EVICTED =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Workload
      metadata: {name: w, namespace: n, uid: "1"}
      status:
        schedulingStats:
          evictions:
          - {reason: PodsReadyTimeout, underlyingCause: WaitForStart, count: 1}
          - {reason: Preempted, underlyingCause: "", count: 2}
        conditions:
        - type: Evicted
          status: "True"
          lastTransitionTime: "2030-01-01T00:00:00Z"
          message: "Preempted to accommodate a workload (UID: 7, JobUID: 8) due to prioritization"
      """;

  private static final String PREEMPTOR =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Workload
      metadata:
        name: job-big-abc
        namespace: rich
        uid: "7"
        labels: {kueue.x-k8s.io/job-uid: "8"}
        ownerReferences: [{kind: Job, name: big, uid: "8"}]
      """;

  static final List<Case> CASES =
      List.of(
          new Case(
              "preempted by a workload that still exists",
              EVICTED,
              PREEMPTOR,
              List.of(
                  "Evicted 3 times: 1 PodsReadyTimeout (WaitForStart), 2 Preempted",
                  "Last evicted at 2030-01-01T00:00:00Z: Preempted to accommodate workload"
                      + " rich/job-big-abc of Job big due to prioritization")),
          new Case(
              "preempted by a workload that is gone",
              EVICTED,
              "",
              List.of(
                  "Last evicted at 2030-01-01T00:00:00Z: Preempted to accommodate a workload that is"
                      + " gone or that you may not see (UID: 7) due to prioritization")),
          new Case(
              "the API rejects its Workload",
              JOB,
              """
              apiVersion: v1
              kind: Event
              type: Warning
              reason: ErrWorkloadCompose
              message: "No Workload was created: spec.podSets: Too many"
              lastTimestamp: "2030-01-01T00:00:00Z"
              involvedObject: {uid: job-1}
              metadata: {name: e, namespace: n}
              """,
              List.of(
                  "n/j has no Workload, because ErrWorkloadCompose: No Workload was created:"
                      + " spec.podSets: Too many (at 2030-01-01T00:00:00Z)")),
          new Case(
              "its PriorityClass is missing",
              JOB + "spec: {template: {spec: {priorityClassName: gold}}}",
              "",
              List.of(
                  "n/j has no Workload, because it names PriorityClass gold, which does not exist:"
                      + " create it, or name another.")),
          new Case(
              "its prebuilt Workload is missing",
              JOB.replace("queue-name", "prebuilt-workload-name: made, kueue.x-k8s.io/queue-name"),
              "",
              List.of(
                  "n/j has no Workload, because it names the prebuilt Workload made, which does not"
                      + " exist.")),
          new Case(
              "no queue",
              JOB.replace("kueue.x-k8s.io/queue-name", "other"),
              "",
              List.of(
                  "n/j is not queued: give it the label kueue.x-k8s.io/queue-name with the name of a"
                      + " LocalQueue.")),
          new Case(
              "finished, and its Workload is gone",
              JOB
                  + "status: {conditions: [{type: Complete, status: 'True', lastTransitionTime: '2030-01-01T00:00:00Z'}]}",
              "",
              List.of(
                  "n/j is finished since 2030-01-01T00:00:00Z, Complete. Its Workload is gone.")),
          new Case(
              "owned by another queued job",
              JOB.replace(
                  "uid: job-1",
                  "uid: child\n  ownerReferences: [{kind: Job, name: j, uid: job-1, controller: true}]"),
              JOB,
              List.of("n/j has no Workload of its own, because Job j owns it: explain that one.")),
          new Case(
              "no manager runs",
              JOB,
              "",
              List.of("n/j has no Workload yet, and no event says why.")));

  @ParameterizedTest
  @FieldSource("CASES")
  void explanationSaysWhatKeepsAJob(Case test) {
    ApiObject subject = objects(test.subject).getFirst();
    var explainer = new WorkloadExplainer(new Objects(objects(test.others)));

    Explained explained =
        subject.kind().equals("Job") ? explainer.job(subject) : explainer.workload(subject);

    var lines = new ArrayList<String>();
    lines.add(explained.summary().sentence());
    lines.addAll(explained.summary().details());
    assertThat(lines).containsAll(test.want);
  }

  private static List<ApiObject> objects(String yaml) {
    return yaml.isEmpty()
        ? List.of()
        : Yaml.parseAll(yaml).stream().map(value -> new ApiObject(value.asTree())).toList();
  }

  /** A cluster of a few objects. */
  private record Objects(List<ApiObject> all) implements ObjectReader {

    @Override
    public Optional<ApiObject> get(ObjectKey key) {
      return list(key.kind(), key.namespace()).stream()
          .filter(object -> object.name().equals(key.name()))
          .findFirst();
    }

    @Override
    public List<ApiObject> list(ResourceKind kind, String namespace) {
      return all.stream()
          .filter(object -> object.isA(kind))
          .filter(object -> namespace.isEmpty() || object.namespace().equals(namespace))
          .toList();
    }

    @Override
    public List<ApiObject> labelled(
        ResourceKind kind, String namespace, String label, String value) {
      return list(kind, namespace).stream()
          .filter(object -> object.label(label).equals(value))
          .toList();
    }

    @Override
    public List<ApiObject> events(ApiObject about) {
      return all.stream()
          .filter(object -> object.tree().text("involvedObject", "uid").equals(about.uid()))
          .toList();
    }

    @Override
    public Tree pending(String namespace, String localQueue, String workload) {
      return Tree.EMPTY;
    }
  }
}
