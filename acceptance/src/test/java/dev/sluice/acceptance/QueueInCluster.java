package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.conformance.Kubectl;
import java.time.Duration;
import java.util.List;

/**
 * One queue of a real cluster, and what people do with it and see of it by kubectl. All its jobs
 * ask for one cpu.
 */
final class QueueInCluster {
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Kubectl kubectl;
  private final String name;

  /**
   * @param name of the ClusterQueue and of the LocalQueue
   */
  QueueInCluster(Kubectl kubectl, String name) {
    this.kubectl = kubectl;
    this.name = name;
  }

  /**
   * Creates the queue.
   *
   * @param more further fields of the ClusterQueue's spec, each with a comma before it
   */
  void open(int cpus, String more) {
    apply(
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: plain}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: %1$s}, spec: {
          namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [
           {name: plain, resources: [{name: cpu, nominalQuota: %2$d}]}]}]%3$s}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue,
         metadata: {name: %1$s, namespace: default}, spec: {clusterQueue: %1$s}}
        """
            .formatted(name, cpus, more));
  }

  void submit(String job) {
    submit(job, "");
  }

  /**
   * Creates a job.
   *
   * @param labels further labels of it, each with a comma before it
   */
  void submit(String job, String labels) {
    apply(yaml(job, labels));
  }

  private String yaml(String job, String labels) {
    return """
    {apiVersion: batch/v1, kind: Job, metadata: {name: %s, namespace: default, labels: {
      kueue.x-k8s.io/queue-name: %s%s}}, spec: {template: {spec: {restartPolicy: Never,
       containers: [{name: main, image: none, resources: {requests: {cpu: "1"}}}]}}}}
    """
        .formatted(job, name, labels);
  }

  /** Creates or changes what a document has. */
  void apply(String yaml) {
    kubectl.apply(yaml);
  }

  /** A server takes about a second until it asks webhooks that were just registered. */
  void awaitWebhooks() {
    String probe = yaml("probe", "");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(
                    kubectl
                        .runWithInput(
                            probe,
                            "create",
                            "--dry-run=server",
                            "-o",
                            "jsonpath={.spec.suspend}",
                            "-f",
                            "-")
                        .orFail())
                .isEqualTo("true"));
  }

  void awaitStarted(String job) {
    awaitSuspended(job, "false");
  }

  void awaitSuspended(String job, String suspended) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(suspended(job)).isEqualTo(suspended));
  }

  String suspended(String job) {
    return read("job/" + job, "{.spec.suspend}");
  }

  /** What was decided about a job, and when; empty if nothing was. */
  String decided(String job) {
    return ofWorkload(
        job,
        "{.status.admission.podSetAssignments}"
            + "{.status.conditions[?(@.type==\"QuotaReserved\")].lastTransitionTime}");
  }

  /** A field of a job's workload; empty if there is no workload. */
  String ofWorkload(String job, String path) {
    String owned = "{range .items[?(@.metadata.ownerReferences[0].name==\"" + job + "\")]}";
    return kubectl.read("workloads", owned + path + "{end}");
  }

  /** The jobs that were preempted, among those given. */
  List<String> preempted(List<String> jobs) {
    String reason = "{.status.conditions[?(@.type==\"Evicted\")].reason}";
    return jobs.stream().filter(job -> ofWorkload(job, reason).equals("Preempted")).toList();
  }

  /** Says that a pod of a job runs, as its controller does. */
  void sayRuns(String job) {
    patchStatus(
        "job/" + job, "{\"status\": {\"active\": 1, \"startTime\": \"2026-01-01T00:00:00Z\"}}");
  }

  /** Says that nothing of a suspended job runs any more, as its controller does. */
  void sayStopped(String job) {
    patchStatus(
        "job/" + job,
        """
        {"status": {"active": 0, "conditions": [{"type": "Suspended", "status": "True", "reason": "JobSuspended",
         "message": "", "lastProbeTime": "2026-01-01T00:00:00Z",
         "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}
        """);
  }

  void patchStatus(String object, String patch) {
    kubectl.run("patch", object, "--subresource=status", "--type=merge", "-p", patch).orFail();
  }

  String read(String object, String path) {
    return kubectl.read(object, path);
  }
}
