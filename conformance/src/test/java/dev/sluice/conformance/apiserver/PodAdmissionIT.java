package dev.sluice.conformance.apiserver;

import dev.sluice.conformance.Eventually;
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
 * The same pods, ranges and quotas for our API server and the real one: both let in the same pods,
 * with the same defaults and warnings, and refuse the others in the same words.
 */
@RequiresKubernetes(RealKubernetes.Part.CONTROLLER_MANAGER)
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PodAdmissionIT {
  private static final String CORE = "/api/v1/namespaces";

  private final TwoServers servers;

  PodAdmissionIT(RealKubernetes kubernetes, @TempDir Path folder) throws IOException {
    this.servers = new TwoServers(kubernetes, folder);
  }

  @BeforeAll
  void namespaces() {
    for (String name : List.of("plain", "ranged", "bounded", "full", "counted", "scoped")) {
      servers.post(CORE, "{metadata: {name: %s}}".formatted(name));
    }
    range("ranged", "{type: Container, default: {cpu: 2, memory: 1Gi}, defaultRequest: {cpu: 1}}");
    range(
        "bounded",
        "{type: Container, min: {cpu: 100m}, max: {cpu: 2}, maxLimitRequestRatio: {cpu: 2}},"
            + " {type: Pod, max: {memory: 1Gi}}");
    quota("full", "{hard: {pods: 0, count/configmaps: 5}}");
    quota("counted", "{hard: {requests.cpu: 2, limits.memory: 1Gi, requests.example.com/gpu: 1}}");
    quota("scoped", "{hard: {pods: 0}, scopes: [Terminating]}");
    servers.post(
        "/apis/node.k8s.io/v1/runtimeclasses",
        "{metadata: {name: vm}, handler: vm, overhead: {podFixed: {cpu: 250m}}, scheduling:"
            + " {nodeSelector: {vm: 'yes'}}}");
    for (String name : List.of("full", "counted", "scoped")) {
      String path = CORE + "/" + name + "/resourcequotas/q";
      Eventually.holds(
          "the quota of " + name + " is counted",
          () -> servers.real.send("GET", path, "", "").body().tree("status").has("used"));
    }
  }

  private void range(String namespace, String limits) {
    servers.post(
        CORE + "/" + namespace + "/limitranges",
        "{metadata: {name: r}, spec: {limits: [%s]}}".formatted(limits));
  }

  private void quota(String namespace, String spec) {
    servers.post(
        CORE + "/" + namespace + "/resourcequotas",
        "{metadata: {name: q}, spec: %s}".formatted(spec));
  }

  @AfterAll
  void close() {
    servers.close();
  }

  /** A pod of one namespace. */
  record Sample(String namespace, String spec) {}

  private static Sample asking(String namespace, String resources) {
    return new Sample(
        namespace, "{containers: [{name: main, image: i, resources: " + resources + "}]}");
  }

  private static Sample container(String rest) {
    return new Sample("plain", "{containers: [{name: main, image: i, " + rest + "}]}");
  }

  static final List<Sample> PODS =
      List.of(
          new Sample("plain", "{}"),
          container("env: [{name: A, value: a}, {name: A, value: b}]"),
          container("env: [{name: A, value: a}, {name: A, value: $(A)b}]"),
          container("ports: [{containerPort: 80}, {containerPort: 80}]"),
          container("ports: [{containerPort: 80}, {containerPort: 80, protocol: UDP}]"),
          container("env: [{name: A, value: a}, {name: A, value: $(A)}]"),
          container("ports: [{containerPort: 80, hostIP: 1.2.3.4}]"),
          container("ports: [{name: web, containerPort: 80, hostIP: 1.2.3.4, protocol: UDP}]"),
          container("ports: [{containerPort: 80}, {containerPort: 80, hostPort: 81}]"),
          container(
              "ports: [{containerPort: 80, hostPort: 81}, {containerPort: 80, hostPort: 82}]"),
          container(
              "ports: [{containerPort: 80, hostPort: 81}, {containerPort: 80, hostPort: 81, hostIP:"
                  + " 1.2.3.4}]"),
          new Sample(
              "plain",
              "{containers: [{name: a, image: i, ports: [{containerPort: 80}]}, {name: b, image: i,"
                  + " ports: [{containerPort: 80}]}], initContainers: [{name: c, image: i, ports:"
                  + " [{containerPort: 80}]}]}"),
          new Sample("plain", "{hostAliases: [{ip: 1.2.3.4}, {ip: 1.2.3.4}]}"),
          new Sample("plain", "{imagePullSecrets: [{name: a}, {name: a}]}"),
          container("resources: {limits: {memory: 100m}}"),
          container("resources: {limits: {ephemeral-storage: 1.5}}"),
          new Sample("plain", "{nodeSelector: {beta.kubernetes.io/os: linux}}"),
          new Sample("plain", "{nodeSelector: {failure-domain.beta.kubernetes.io/zone: z, a: b}}"),
          new Sample("plain", "{imagePullSecrets: [{}]}"),
          new Sample("plain", "{terminationGracePeriodSeconds: -1}"),
          new Sample(
              "plain",
              "{topologySpreadConstraints: [{maxSkew: 1, topologyKey: beta.kubernetes.io/arch,"
                  + " whenUnsatisfiable: DoNotSchedule}]}"),
          new Sample("plain", "{priorityClassName: odd}"),
          new Sample("plain", "{runtimeClassName: odd}"),
          new Sample("plain", "{runtimeClassName: vm}"),
          new Sample("plain", "{runtimeClassName: vm, nodeSelector: {vm: 'no'}}"),
          new Sample("plain", "{runtimeClassName: vm, overhead: {cpu: 1}}"),
          new Sample("plain", "{overhead: {cpu: 1}}"),
          new Sample("ranged", "{}"),
          asking("ranged", "{limits: {cpu: 3}}"),
          asking("ranged", "{requests: {cpu: 3}}"),
          asking("bounded", "{requests: {cpu: 50m}, limits: {cpu: 50m, memory: 1Gi}}"),
          asking("bounded", "{requests: {cpu: 2}, limits: {cpu: 3, memory: 1Gi}}"),
          asking("bounded", "{requests: {cpu: 500m}, limits: {cpu: 2, memory: 1Gi}}"),
          asking("bounded", "{requests: {cpu: 1}, limits: {cpu: 2, memory: 2Gi}}"),
          asking("bounded", "{requests: {cpu: 1}, limits: {cpu: 2}}"),
          new Sample("full", "{}"),
          new Sample("counted", "{}"),
          new Sample("counted", "{initContainers: [{name: init, image: i}]}"),
          asking("counted", "{requests: {cpu: 1}, limits: {memory: 1Gi}}"),
          asking("counted", "{requests: {cpu: 3}, limits: {memory: 2Gi}}"),
          asking("counted", "{requests: {cpu: 1}, limits: {memory: 1Gi, example.com/gpu: 2}}"),
          new Sample("scoped", "{}"),
          new Sample("scoped", "{activeDeadlineSeconds: 5}"));

  @ParameterizedTest
  @FieldSource("PODS")
  void aPodIsLetInOrRefusedAlike(Sample c) {
    Tree pod =
        TwoServers.yaml("{metadata: {name: p}, spec: {containers: [{name: main, image: i}]}}");
    Tree asked = MergePatch.apply(pod, Tree.of("spec", TwoServers.yaml(c.spec())));
    compare(CORE + "/" + c.namespace() + "/pods?dryRun=All", asked);
  }

  static final List<String> NAMES = List.of("a.b", "job");

  @ParameterizedTest
  @FieldSource("POD_NAMES")
  void aNameIsWarnedOfAlike(String name) {
    Tree pod = TwoServers.yaml("{spec: {containers: [{name: main, image: i}]}}");
    compare(CORE + "/plain/pods?dryRun=All", pod.with("metadata", Tree.of("name", name)));
  }

  static final List<String> POD_NAMES = List.of("a.b", "a".repeat(70), "a.b" + "c".repeat(70));

  @ParameterizedTest
  @FieldSource("NAMES")
  void jobsAndCronJobsAreWarnedOfAlike(String name) {
    Tree spec =
        TwoServers.yaml(
            "{template: {spec: {restartPolicy: Never, containers: [{name: main, image: i, env:"
                + " [{name: A, value: a}, {name: A, value: b}]}]}}}");
    Tree job = Tree.of("metadata", Tree.of("name", name), "spec", spec);
    compare("/apis/batch/v1/namespaces/plain/jobs?dryRun=All", job);
    Tree cronJob = Tree.of("schedule", "* * * * *", "jobTemplate", Tree.of("spec", spec));
    compare(
        "/apis/batch/v1/namespaces/plain/cronjobs?dryRun=All",
        Tree.of("metadata", Tree.of("name", name), "spec", cronJob));
  }

  /** Quotas, good and bad. */
  static final List<String> QUOTAS =
      List.of(
          "{}",
          "{hard: {pods: 1, cpu: 1500m, requests.memory: 1Gi, count/jobs.batch: 3}}",
          "{hard: {requests.nvidia.com/gpu: 4, hugepages-2Mi: 1Gi}}",
          "{hard: {cpus: 1}}",
          "{hard: {pods: -1}}",
          "{hard: {pods: 500m}}",
          "{hard: {count/jobs.batch: 500m}}",
          "{hard: {pods: 1}, scopes: [Odd]}",
          "{hard: {pods: 1}, scopes: [BestEffort, NotBestEffort]}",
          "{hard: {pods: 1}, scopes: [Terminating, NotTerminating]}",
          "{hard: {cpu: 1}, scopes: [BestEffort]}",
          "{hard: {secrets: 1}, scopes: [Terminating]}",
          "{hard: {requests.nvidia.com/gpu: 1}, scopes: [Terminating]}",
          "{hard: {count/pods: 1}, scopes: [Terminating]}",
          "{hard: {pods: 1}, scopeSelector: {matchExpressions: [{scopeName: PriorityClass,"
              + " operator: In, values: [a]}]}}",
          "{hard: {pods: 1}, scopeSelector: {matchExpressions: [{scopeName: PriorityClass,"
              + " operator: In}]}}",
          "{hard: {pods: 1}, scopeSelector: {matchExpressions: [{scopeName: PriorityClass,"
              + " operator: Exists, values: [a]}]}}",
          "{hard: {pods: 1}, scopeSelector: {matchExpressions: [{scopeName: PriorityClass,"
              + " operator: Odd}]}}",
          "{hard: {pods: 1}, scopeSelector: {matchExpressions: [{scopeName: BestEffort, operator:"
              + " DoesNotExist}]}}");

  @ParameterizedTest
  @FieldSource("QUOTAS")
  void aQuotaIsCreatedOrRefusedAlike(String spec) {
    compare(
        CORE + "/plain/resourcequotas?dryRun=All",
        Tree.of("metadata", Tree.of("name", "q"), "spec", TwoServers.yaml(spec)));
  }

  /** A change of a quota, by its namespace. */
  record Change(String namespace, String spec) {}

  static final List<Change> QUOTA_CHANGES =
      List.of(
          new Change("full", "{hard: {pods: 7, count/configmaps: null, secrets: 2}}"),
          new Change("full", "{hard: {pods: -1}}"),
          new Change("full", "{scopes: [Terminating]}"),
          new Change(
              "full",
              "{hard: {count/configmaps: null}, scopeSelector: {matchExpressions: [{scopeName:"
                  + " PriorityClass, operator: Exists}]}}"),
          new Change("scoped", "{scopes: [Terminating, Terminating]}"),
          new Change("scoped", "{scopes: [NotTerminating]}"),
          new Change("scoped", "{scopes: [Terminating, BestEffort]}"),
          new Change("scoped", "{scopes: null}"),
          new Change("scoped", "{hard: {pods: 3, requests.cpu: 1}}"),
          new Change("scoped", "{hard: {secrets: 3}}"));

  @ParameterizedTest
  @FieldSource("QUOTA_CHANGES")
  void aQuotaIsChangedOrRefusedAlike(Change c) {
    String path = CORE + "/" + c.namespace() + "/resourcequotas/q?dryRun=All";
    Tree changes = Tree.of("spec", TwoServers.yaml(c.spec()));
    servers.ask("PATCH", path, TwoServers.MERGE, changes, PodAdmissionIT::shown);
  }

  private void compare(String path, Tree body) {
    servers.ask("POST", path, TwoServers.JSON, body, PodAdmissionIT::shown);
  }

  private static List<String> shown(Tree object) {
    return List.of(TwoServers.spec(object), object.tree("metadata", "annotations").toString());
  }
}
