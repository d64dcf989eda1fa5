package dev.sluice.conformance.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.controllers.configuration.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The release of quota on a real API server, which lets no workload change its queue while it holds
 * quota, and keeps the fields of other managers in a server-side apply.
 */
@RequiresKubernetes
@Timeout(120)
class ReleasedQuotaIT {
  private static final String ACTIVE =
      """
      {"status": {"conditions": [{"type": "Active", "status": "True", "reason": "Active",
       "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}
      """;

  private static QueueStage stage;
  private static Kubectl kubectl;

  @BeforeAll
  static void start(RealKubernetes kubernetes) {
    kubectl = kubernetes.kubectl();
    stage = new QueueStage(kubernetes, Configuration.DEFAULT);
    stage.apply("ResourceFlavor", "moved-plain", "");
    stage.apply("AdmissionCheck", "moved-check", "controllerName: example.com/nobody");
    kubectl
        .run(
            "patch",
            "admissioncheck/moved-check",
            "--subresource=status",
            "--type=merge",
            "-p",
            ACTIVE)
        .orFail();
    stage.queue(
        "moved-from",
        "moved-plain",
        "1",
        "admissionChecksStrategy: {admissionChecks: [{name: moved-check}]}");
    stage.queue("moved-to", "moved-plain", "1", "");
    stage.queue("cleared", "moved-plain", "1", "");
  }

  @AfterAll
  static void stop() {
    kubectl.run("delete", "job/moved", "--ignore-not-found").orFail();
    stage.delete("admissioncheck", "moved-check");
    stage.close();
  }

  @Test
  void aJobThatHoldsQuotaRunsInTheQueueThatItMovesTo() {
    kubectl
        .runWithInput(
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: moved, labels: {kueue.x-k8s.io/queue-name: moved-from}}
            spec:
              template:
                spec:
                  restartPolicy: Never
                  containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]
            """,
            "create",
            "-f",
            "-")
        .orFail();
    Eventually.holds("quota is reserved", () -> queueOfQuota().equals("moved-from"));
    assertThat(read("job/moved", "{.spec.suspend}")).isEqualTo("true");

    kubectl.run("label", "job/moved", "kueue.x-k8s.io/queue-name=moved-to", "--overwrite").orFail();

    Eventually.holds("it runs", () -> read("job/moved", "{.spec.suspend}").equals("false"));
    assertThat(queueOfQuota()).isEqualTo("moved-to");
    Eventually.holds(
        "nothing is held any more where it was",
        () -> read("clusterqueue/moved-from", "{.status.reservingWorkloads}").equals("0"));
  }

  /** As a controller that is built on Kueue's job framework clears the quota of its workload. */
  @Test
  void quotaIsFreeOnceItsConditionIsApplied() {
    stage.submit("cleared-first", "cleared", 1);
    stage.awaitAdmitted("cleared-first");
    stage.submit("cleared-next", "cleared", 1);

    kubectl
        .runWithInput(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: Workload
            metadata: {name: cleared-first, namespace: default}
            status:
              conditions:
              - {type: QuotaReserved, status: "False", reason: Pending, message: Stopped,
                 lastTransitionTime: "2026-01-01T00:00:00Z"}
              - {type: Requeued, status: "False", reason: Stopped, message: Stopped,
                 lastTransitionTime: "2026-01-01T00:00:00Z"}
            """,
            "apply",
            "--server-side",
            "--subresource=status",
            "--field-manager=kueue-admission",
            "--force-conflicts",
            "-f",
            "-")
        .orFail();

    stage.awaitAdmitted("cleared-next");
    Eventually.holds(
        "nothing of the reservation is left",
        () -> read("workload/cleared-first", "{.status.admission}").isEmpty());
  }

  private static String queueOfQuota() {
    String uid = read("job/moved", "{.metadata.uid}");
    return kubectl
        .run(
            "get",
            "workloads.kueue.x-k8s.io",
            "-l",
            "kueue.x-k8s.io/job-uid=" + uid,
            "-o",
            "jsonpath={.items[*].status.admission.clusterQueue}")
        .orFail();
  }

  private static String read(String object, String path) {
    return kubectl.run("get", object, "-o", "jsonpath=" + path).orFail();
  }
}
