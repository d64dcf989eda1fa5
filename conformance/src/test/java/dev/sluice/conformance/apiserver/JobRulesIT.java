package dev.sluice.conformance.apiserver;

import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.conformance.TwoServers;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * The same Jobs, good and bad, for our API server and the real one: what one accepts the other does
 * too, with the same defaults; what one refuses the other does too, for the same fields.
 */
@RequiresKubernetes
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobRulesIT {
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";

  private final TwoServers servers;

  JobRulesIT(RealKubernetes kubernetes, @TempDir Path folder) throws IOException {
    this.servers = new TwoServers(kubernetes, folder);
  }

  @BeforeAll
  void jobsToChange() {
    create(JOBS, "plain", "{}");
    create(JOBS, "held", "{suspend: true}");
    create(
        JOBS,
        "indexed",
        "{completionMode: Indexed, completions: 3, parallelism: 2, backoffLimitPerIndex: 1}");
  }

  @AfterAll
  void close() {
    for (String name : List.of("plain", "held", "indexed")) {
      String path = JOBS + "/" + name + "?propagationPolicy=Background";
      servers.ask("DELETE", path, "", Tree.EMPTY, _ -> List.of());
    }
    servers.close();
  }

  private void create(String path, String name, String spec) {
    Tree good =
        TwoServers.yaml(
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: %s}
            spec:
              template:
                spec:
                  restartPolicy: Never
                  containers: [{name: main, image: "busybox:1.36"}]
            """
                .formatted(name));
    Tree job = MergePatch.apply(good, Tree.of("spec", TwoServers.yaml(spec)));
    servers.ask("POST", path, TwoServers.JSON, job, JobRulesIT::shown);
  }

  private void change(String path, String part, String value) {
    Tree changes = Tree.of(part, TwoServers.yaml(value));
    servers.ask("PATCH", path + "?dryRun=All", TwoServers.MERGE, changes, JobRulesIT::shown);
  }

  private static List<String> shown(Tree job) {
    return List.of(TwoServers.spec(job), job.tree("status").toString());
  }

  @ParameterizedTest
  @FieldSource("dev.sluice.conformance.apiserver.JobSpecs#ALL")
  void isCreatedOrRefusedAlike(String spec) {
    create(JOBS + "?dryRun=All", "j", spec);
  }

  /** A change of one of the Jobs that are there. */
  record Change(String job, String spec) {}

  static final List<Change> CHANGES =
      List.of(
          new Change("plain", "{parallelism: 5, backoffLimit: 1, suspend: true}"),
          new Change("plain", "{activeDeadlineSeconds: 5, ttlSecondsAfterFinished: 7}"),
          new Change("plain", "{completions: 2}"),
          new Change("plain", "{completionMode: Indexed}"),
          new Change("plain", "{managedBy: acme.io/foo}"),
          new Change("plain", "{podFailurePolicy: {rules: []}}"),
          new Change("plain", "{podReplacementPolicy: Failed}"),
          new Change("plain", "{selector: {matchLabels: {job-name: plain}}}"),
          new Change("plain", "{manualSelector: true}"),
          new Change("plain", "{backoffLimitPerIndex: 1}"),
          new Change("plain", "{parallelism: null, backoffLimit: null}"),
          new Change("plain", "{template: {metadata: {annotations: {x: y}}}}"),
          new Change(
              "held",
              "{template: {spec: {affinity: {nodeAffinity:"
                  + " {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms:"
                  + " [{matchExpressions: [{key: a, operator: Exists}]}]}}}}}}"),
          new Change(
              "held",
              "{template: {spec: {affinity: {podAffinity:"
                  + " {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: t,"
                  + " labelSelector: {matchLabels: {a: b}}}]}}}}}"),
          new Change(
              "held",
              "{template: {spec: {tolerations: [{key: a, operator: Exists}], schedulingGates:"
                  + " [{name: a.io/b}]}}}"),
          new Change("held", "{template: {spec: {activeDeadlineSeconds: 5}}}"),
          new Change("plain", "{template: {spec: {nodeSelector: {a: b}}}}"),
          new Change("plain", "{suspend: true, template: {spec: {nodeSelector: {a: b}}}}"),
          new Change("held", "{template: {spec: {nodeSelector: {a: b}}}}"),
          new Change("held", "{suspend: false, template: {spec: {nodeSelector: {a: b}}}}"),
          new Change("held", "{template: {metadata: {labels: {x: y}, annotations: {x: y}}}}"),
          new Change("held", "{template: {metadata: {labels: {job-name: x}}}}"),
          new Change("held", "{template: {spec: {priorityClassName: system-node-critical}}}"),
          new Change("indexed", "{completions: 5, parallelism: 5}"),
          new Change("indexed", "{completions: 5}"),
          new Change("indexed", "{completions: null}"),
          new Change("indexed", "{maxFailedIndexes: 1}"),
          new Change("indexed", "{backoffLimitPerIndex: 2}"),
          new Change("indexed", "{successPolicy: {rules: [{succeededCount: 1}]}}"));

  @ParameterizedTest
  @FieldSource("CHANGES")
  void isChangedOrRefusedAlike(Change c) {
    change(JOBS + "/" + c.job(), "spec", c.spec());
  }

  private static String is(String... conditions) {
    return String.join(
        ", ", List.of(conditions).stream().map("{type: %s, status: 'True'}"::formatted).toList());
  }

  private static final String START = "startTime: '2026-01-01T00:00:00Z'";

  static final List<Change> REPORTS =
      List.of(
          new Change("plain", "{active: 1, ready: 1, terminating: 0, " + START + "}"),
          new Change("plain", "{active: -1, ready: 1}"),
          new Change("plain", "{uncountedTerminatedPods: {succeeded: ['', a, a], failed: [a]}}"),
          new Change("plain", "{completedIndexes: '0'}"),
          new Change("plain", "{failedIndexes: ''}"),
          new Change("plain", "{completionTime: '2026-01-01T00:00:00Z'}"),
          new Change("plain", "{conditions: [" + is("Complete") + "]}"),
          new Change("plain", "{conditions: [" + is("Failed") + "], " + START + "}"),
          new Change("plain", "{conditions: [" + is("FailureTarget", "SuccessCriteriaMet") + "]}"),
          new Change(
              "plain",
              "{conditions: ["
                  + is("FailureTarget", "Failed")
                  + "], active: 1, terminating: 1, uncountedTerminatedPods: {failed: [a]}}"),
          new Change(
              "plain",
              "{conditions: ["
                  + is("SuccessCriteriaMet", "Complete")
                  + "], "
                  + START
                  + ", completionTime: '2025-01-01T00:00:00Z'}"),
          new Change(
              "plain",
              "{conditions: ["
                  + is("SuccessCriteriaMet", "Complete", "FailureTarget", "Failed")
                  + "]}"),
          new Change("plain", "{completedIndexes: '0', failedIndexes: '0'}"),
          new Change("plain", "{conditions: [" + is("Complete", "Failed") + "]}"),
          new Change("plain", "{conditions: [" + is("Complete", "FailureTarget") + "]}"),
          new Change(
              "plain",
              "{conditions: ["
                  + is("SuccessCriteriaMet", "Complete")
                  + "], "
                  + START
                  + ", completionTime: '2026-01-01T00:00:00Z', terminating: 1}"),
          new Change("held", "{" + START + "}"),
          new Change(
              "held",
              "{conditions: [{type: Suspended, status: 'True', lastProbeTime:"
                  + " '2026-01-01T00:00:00Z', lastTransitionTime: '2026-01-01T00:00:00Z'}]}"),
          new Change("indexed", "{completedIndexes: '0-1', failedIndexes: '0-1'}"),
          new Change("indexed", "{completedIndexes: '0,2', failedIndexes: '1'}"),
          new Change("indexed", "{completedIndexes: '0,2', failedIndexes: '1-2'}"),
          new Change("indexed", "{completedIndexes: '2,1', failedIndexes: '7'}"));

  @ParameterizedTest
  @FieldSource("REPORTS")
  void aStatusIsTakenOrRefusedAlike(Change c) {
    change(JOBS + "/" + c.job() + "/status", "status", c.spec());
  }
}
