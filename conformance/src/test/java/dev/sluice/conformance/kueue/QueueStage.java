package dev.sluice.conformance.kueue;

import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.LocalWebhooks;
import dev.sluice.conformance.RealCluster;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.assembly.ControllerSet.Group;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.kubernetes.CrdInstaller;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.kubernetes.serving.Webhooks;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueConversion;
import dev.sluice.model.kueue.KueueDefinitions;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.LiveDriver;
import dev.sluice.runtime.RealTime;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The queues of a real cluster, with our controllers and webhooks and nothing else in it, in the
 * words of a test. What people do is done with kubectl. All that is made carries a label, by which
 * it is removed in the end: nothing may be left that cannot go.
 */
final class QueueStage implements AutoCloseable {
  private static final Set<Group> QUEUEING = Set.of(Group.QUEUEING);
  private static final String OURS = "sluice.dev/stage=queues";

  private final Kubectl kubectl;
  private final RealTime time = new RealTime();
  private final KubernetesCluster cluster;
  private final Webhooks webhooks;
  private final LiveDriver driver;

  QueueStage(RealKubernetes kubernetes, Configuration configuration) {
    this.kubectl = kubernetes.kubectl();
    this.cluster = RealCluster.of(kubernetes.kubeconfig(), time);
    new CrdInstaller(cluster, Duration.ofSeconds(60)).install(KueueDefinitions.all());
    this.webhooks = new Webhooks(cluster.uncached(), settings(configuration), time);
    this.driver =
        new LiveDriver(
            cluster, ControllerSet.of(QUEUEING, cluster, DecisionLog.NONE, configuration));
    driver.start();
    webhooks.serve();
    webhooks.register();
    // The server takes about a second to call new webhooks.
    Eventually.holds(
        "the webhooks are asked",
        () -> !dryRun(workload("probe", "nowhere", "{cpu: -1}")).error().isEmpty());
  }

  private Webhooks.Settings settings(Configuration configuration) {
    return LocalWebhooks.settings(
        ControllerSet.admissionHooks(QUEUEING, cluster, configuration),
        KueueConversion::convert,
        List.of());
  }

  /** Creates or changes an object of Kueue's. */
  void apply(String kind, String name, String spec) {
    kubectl.apply(object(kind, name, spec));
  }

  /** What the API server says to an object it refuses. */
  String refusal(String kind, String name, String spec) {
    return dryRun(object(kind, name, spec)).error();
  }

  private Kubectl.Result dryRun(String object) {
    return kubectl.runWithInput(object, "create", "--dry-run=server", "-f", "-");
  }

  private static String object(String kind, String name, String spec) {
    return """
    {apiVersion: kueue.x-k8s.io/v1beta2, kind: %s, metadata: {name: %s, labels: {%s}}, spec: {%s}}
    """
        .formatted(kind, name, OURS.replace("=", ": "), spec);
  }

  /** Asks for something to be deleted, without waiting until it is gone. */
  void delete(String kind, String name) {
    kubectl.run("delete", kind + "/" + name, "--wait=false").orFail();
  }

  boolean exists(String kind, String name) {
    return kubectl.run("get", kind + "/" + name).exitCode() == 0;
  }

  /** A ClusterQueue with cpus of one flavor, and a LocalQueue of the same name. */
  void queue(String name, String flavor, String cpus, String more) {
    apply("ClusterQueue", name, quota(flavor, cpus) + (more.isEmpty() ? "" : ", " + more));
    apply("LocalQueue", name, "clusterQueue: " + name);
  }

  /** The part of a ClusterQueue that says how many cpus of a flavor it has. */
  static String quota(String flavor, String cpus) {
    return """
    namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: %s,
     resources: [{name: cpu, nominalQuota: %s}]}]}]\
    """
        .formatted(flavor, cpus);
  }

  /** A workload of one pod that asks for so many cpus. */
  void submit(String name, String queue, int cpus) {
    kubectl
        .runWithInput(workload(name, queue, "{cpu: " + cpus + "}"), "create", "-f", "-")
        .orFail();
  }

  private static String workload(String name, String queue, String requests) {
    return object("Workload", name, workloadSpec(queue, requests));
  }

  static String workloadSpec(String queue, String requests) {
    return """
    queueName: %s, podSets: [{name: main, count: 1, template: {spec: {restartPolicy: Never,
     containers: [{name: c, image: i, resources: {requests: %s}}]}}}]\
    """
        .formatted(queue, requests);
  }

  /** The work is over; its quota is free again. */
  void end(String workload) {
    delete("workload", workload);
  }

  boolean isAdmitted(String workload) {
    return cluster
        .get(Kinds.WORKLOAD.key("default", workload))
        .filter(found -> new Workload(found).admitted())
        .isPresent();
  }

  void awaitAdmitted(String... workloads) {
    for (String one : workloads) {
      Eventually.holds(one + " is admitted: " + why(one), () -> isAdmitted(one));
    }
  }

  /** Waits until a condition says why a workload is pending, in these words. */
  void awaitWaiting(String workload, String words) {
    Eventually.holds(
        workload + " is told: " + words,
        () -> !isAdmitted(workload) && why(workload).contains(words));
  }

  private String why(String workload) {
    return cluster
        .get(Kinds.WORKLOAD.key("default", workload))
        .map(found -> new Workload(found).status().message(WorkloadStatus.QUOTA_RESERVED))
        .orElse("");
  }

  /** Waits until a ClusterQueue says of itself what begins with a status and has some words. */
  void awaitActive(String queue, String status, String words) {
    Eventually.holds(
        queue + " says: " + status + ", " + words,
        () -> {
          String told = active(queue);
          return told.startsWith(status) && told.contains(words);
        });
  }

  private String active(String queue) {
    return cluster
        .get(Kinds.CLUSTER_QUEUE.key(queue))
        .flatMap(found -> Condition.find(found.status(), "Active"))
        .map(one -> one.text("status") + ": " + one.text("message"))
        .orElse("");
  }

  /** Removes all that was made here; what uses something goes before what it uses. */
  @Override
  public void close() {
    try {
      for (String kind :
          List.of("workloads", "localqueues", "clusterqueues", "cohorts", "resourceflavors")) {
        String group = kind + "." + Kinds.WORKLOAD.group();
        kubectl.run("delete", group, "-l", OURS, "--timeout=15s").orFail();
      }
    } finally {
      webhooks.unregister();
      driver.close();
      webhooks.close();
      cluster.close();
      time.close();
    }
  }
}
