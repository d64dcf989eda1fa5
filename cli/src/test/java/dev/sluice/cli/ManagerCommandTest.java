package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.controllers.ControllerSet.Group;
import dev.sluice.controllers.configuration.SchedulerConfiguration;
import dev.sluice.kubernetes.LeaderElection.Terms;
import dev.sluice.kubernetes.serving.HostAndPort;
import dev.sluice.kubernetes.serving.OpsServer.Endpoints;
import dev.sluice.kubernetes.serving.TlsPolicy;
import dev.sluice.kubernetes.serving.Webhooks;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import picocli.CommandLine;

/** What flags and file come to, for a manager outside its cluster. */
class ManagerCommandTest {
  private static final String KUBECONFIG =
      """
      apiVersion: v1
      kind: Config
      current-context: c
      clusters: [{name: c, cluster: {server: "https://127.0.0.1:6443"}}]
      users: [{name: u, user: {token: t}}]
      contexts: [{name: c, context: {cluster: c, user: u}}]
      """;

  record Case(
      String name, String yaml, String flags, Function<ManagerPlan, Object> part, Object want) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Object election(ManagerPlan plan) {
    return plan.election();
  }

  private static HostAndPort hooks(ManagerPlan plan) {
    return plan.webhooks().orElseThrow().listen();
  }

  private static HostAndPort visibility(ManagerPlan plan) {
    return plan.visibility().orElseThrow().listen();
  }

  private static HostAndPort at(String host, int port) {
    return new HostAndPort(host, port);
  }

  static final List<Case> CASES =
      List.of(
          new Case(
              "the usual lease",
              "",
              "",
              ManagerCommandTest::election,
              Optional.of(
                  new ManagerPlan.Election(
                      Kinds.LEASE.key("kueue-system", "c1f6bfd2.kueue.x-k8s.io"), Terms.NORMAL))),
          new Case(
              "a lease of one's own",
              "leaderElection: {resourceName: mine, resourceNamespace: there, leaseDuration: 30s,"
                  + " renewDeadline: 20s, retryPeriod: 4s}",
              "",
              ManagerCommandTest::election,
              Optional.of(
                  new ManagerPlan.Election(
                      Kinds.LEASE.key("there", "mine"),
                      new Terms(
                          Duration.ofSeconds(30), Duration.ofSeconds(20), Duration.ofSeconds(4))))),
          new Case(
              "a lease for other work",
              "",
              "--controllers=node-leases,nodes",
              plan -> plan.election().orElseThrow().lease().name(),
              "sluice-nodes-node-leases"),
          new Case(
              "one's own lease for other work",
              "leaderElection: {resourceName: mine}",
              "--controllers=scheduling",
              plan -> plan.election().orElseThrow().lease().name(),
              "mine"),
          new Case(
              "no election by file",
              "leaderElection: {leaderElect: false}",
              "",
              ManagerCommandTest::election,
              Optional.empty()),
          new Case(
              "no election by flag",
              "leaderElection: {leaderElect: true}",
              "--no-leader-elect",
              ManagerCommandTest::election,
              Optional.empty()),
          new Case(
              "the file's namespace is home",
              "namespace: batch",
              "",
              ManagerPlan::namespace,
              "batch"),
          new Case(
              "the lease is at home",
              "namespace: batch",
              "",
              plan -> plan.election().orElseThrow().lease().namespace(),
              "batch"),
          new Case("webhooks anywhere", "", "", ManagerCommandTest::hooks, at("127.0.0.1", 0)),
          new Case(
              "webhooks by file",
              "webhook: {host: 127.0.0.2, port: 9}",
              "",
              ManagerCommandTest::hooks,
              at("127.0.0.2", 9)),
          new Case(
              "webhooks by flag",
              "webhook: {port: 9}",
              "--webhook-port=7",
              ManagerCommandTest::hooks,
              at("127.0.0.1", 7)),
          new Case("no webhooks", "", "--no-webhooks", ManagerPlan::webhooks, Optional.empty()),
          new Case(
              "certificates of our own",
              "internalCertManagement: {webhookSecretName: s}",
              "",
              plan -> plan.webhooks().orElseThrow().certificates(),
              new Webhooks.Certificates.Made("s")),
          new Case(
              "certificates of somebody else",
              "webhook: {certDir: /certs}\ninternalCertManagement: {enable: false}",
              "",
              plan -> plan.webhooks().orElseThrow().certificates(),
              new Webhooks.Certificates.InFolder(Path.of("/certs"))),
          new Case(
              "visibility anywhere", "", "", ManagerCommandTest::visibility, at("127.0.0.1", 0)),
          new Case(
              "visibility by file",
              "visibilityServer: {bindAddress: 127.0.0.2, bindPort: 9}",
              "",
              ManagerCommandTest::visibility,
              at("127.0.0.2", 9)),
          new Case(
              "visibility by flag",
              "visibilityServer: {bindPort: 9}",
              "--visibility-port=7",
              ManagerCommandTest::visibility,
              at("127.0.0.1", 7)),
          new Case(
              "no visibility",
              "featureGates: {VisibilityOnDemand: false}",
              "",
              ManagerPlan::visibility,
              Optional.empty()),
          new Case(
              "no queues to show",
              "",
              "--controllers=jobs",
              ManagerPlan::visibility,
              Optional.empty()),
          new Case(
              "nobody to ask before pods are bound",
              "",
              "--controllers=scheduling",
              ManagerPlan::webhooks,
              Optional.empty()),
          new Case("queues", "", "", ManagerPlan::matter, "the queues"),
          new Case(
              "queues and more",
              "",
              "--controllers=scheduling,queueing",
              ManagerPlan::matter,
              "the queues"),
          new Case(
              "no queues",
              "",
              "--controllers=scheduling,nodes",
              ManagerPlan::matter,
              "scheduling, nodes"),
          new Case(
              "security by file",
              "tls: {minVersion: VersionTLS13}",
              "",
              ManagerPlan::tls,
              new TlsPolicy(true, List.of())),
          new Case(
              "health by file",
              "health: {healthProbeBindAddress: ':9'}",
              "",
              ManagerPlan::health,
              Optional.of(at("", 9))),
          new Case(
              "health by flag",
              "health: {healthProbeBindAddress: ':9'}",
              "--health-address=:7",
              ManagerPlan::health,
              Optional.of(at("", 7))),
          new Case(
              "names of endpoints",
              "health: {readinessEndpointName: r, livenessEndpointName: l}",
              "",
              ManagerPlan::endpoints,
              new Endpoints("/l", "/r")),
          new Case(
              "metrics by file",
              "metrics: {bindAddress: ':9'}",
              "",
              ManagerPlan::metrics,
              Optional.of(at("", 9))),
          new Case(
              "metrics by flag",
              "metrics: {bindAddress: '0'}",
              "--metrics-address=:7",
              ManagerPlan::metrics,
              Optional.of(at("", 7))),
          new Case("no limit", "", "", plan -> plan.connection().isLimited(), false),
          new Case(
              "a limit",
              "clientConnection: {qps: 50, burst: 100}",
              "",
              plan -> plan.connection().isLimited(),
              true));

  @TempDir Path folder;
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @FieldSource("CASES")
  void plans(Case c) throws IOException {
    String[] flags = c.flags().isEmpty() ? new String[0] : c.flags().split(" ", -1);

    assertThat(c.part().apply(plan(c.yaml(), flags))).isEqualTo(c.want());
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aSchedulerBesideOthersHasAName() throws IOException {
    assertThat(planOf(List.of("--controllers", "scheduling")).scheduling())
        .isEqualTo(SchedulerConfiguration.DEFAULT);
    assertThat(
            planOf(List.of("--controllers", "scheduling", "--scheduler-name", "batch"))
                .scheduling()
                .names())
        .containsExactly("batch");
    assertThatThrownBy(() -> planOf(List.of("--scheduler-name", "batch")))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("add scheduling to --controllers");
  }

  @Test
  void kubeSchedulersFileHasProfiles() throws IOException {
    String head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";
    Path file =
        Files.writeString(
            folder.resolve("scheduler.yaml"),
            head + "parallelism: 3\nprofiles: [{schedulerName: a}, {schedulerName: b}]\n");
    String option = "--scheduler-config=" + file;
    String scheduling = "--controllers=scheduling";

    assertThat(planOf(List.of(option, scheduling)).scheduling().names()).containsExactly("a", "b");
    assertThat(err.toString()).contains("scheduler.yaml: parallelism: has no effect");
    assertThatThrownBy(() -> planOf(List.of(option)))
        .hasMessageContaining("--scheduler-config has no effect: add scheduling to --controllers");
    assertThatThrownBy(() -> planOf(List.of(option, scheduling, "--scheduler-name=c")))
        .hasMessageContaining("--scheduler-name has no effect beside --scheduler-config");
    Files.writeString(file, head + "percentageOfNodesToScore: 200\n");
    assertThatThrownBy(() -> planOf(List.of(option, scheduling)))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("scheduler.yaml: percentageOfNodesToScore: 200 is not a whole");
  }

  @ParameterizedTest
  @CsvSource({
    "--webhook-port=7,add queueing or nodes to --controllers",
    "--webhook-url=https://here,add queueing or nodes to --controllers",
    "--visibility-port=7,add queueing to --controllers"
  })
  void aFlagThatNothingUsesIsRefused(String flag, String advice) throws IOException {
    assertThat(planOf(List.of(flag)).groups()).containsExactly(Group.QUEUEING);
    assertThatThrownBy(() -> planOf(List.of(flag, "--controllers=scheduling")))
        .isInstanceOf(UserError.class)
        .hasMessageContaining(flag.replaceAll("=.*", "") + " has no effect: " + advice);
  }

  @Test
  void aCipherSuiteThatJavaDoesNotHaveIsRefused() {
    assertThatThrownBy(() -> plan("tls: {cipherSuites: [TLS_MINE]}"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("tls.cipherSuites: this Java does not have \"TLS_MINE\"; it has");
  }

  @Test
  void promisesAreCheckedOnlyBesideTheQueueing() throws IOException {
    assertThat(planOf(List.of("--controllers", "queueing,invariants")).groups())
        .containsExactlyInAnyOrder(Group.QUEUEING, Group.INVARIANTS);
    for (var alone :
        List.of(
            List.of("--controllers", "jobs,invariants"),
            List.of("--controllers", "jobs", "--check-invariants"))) {
      assertThatThrownBy(() -> planOf(alone))
          .isInstanceOf(UserError.class)
          .hasMessageContaining("add queueing to --controllers");
    }
  }

  @Test
  void twoNamespacesAreOneTooMany() throws IOException {
    assertThat(plan("namespace: batch", "--namespace=batch").namespace()).isEqualTo("batch");
    assertThatThrownBy(() -> plan("namespace: batch", "--namespace=other"))
        .hasMessageContaining("--namespace is other, but the file's namespace is batch");
  }

  @Test
  void withoutAFileItsDefaultsForAddressesDoNotHold() throws IOException {
    ManagerPlan plan = plan("");

    assertThat(plan.health()).isPresent(); // an empty file is one
    assertThat(planOf(List.of()).health()).isEmpty();
    assertThat(planOf(List.of()).metrics()).isEmpty();
  }

  @Test
  void kwoksFileIsForNodes() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("kwok.yaml"),
            "{apiVersion: config.kwok.x-k8s.io/v1alpha1, kind: KwokConfiguration, options:"
                + " {manageAllNodes: true, tlsCertFile: x}}");
    String option = "--kwok-config=" + file;

    assertThatThrownBy(() -> planOf(List.of(option)))
        .hasMessageContaining("--kwok-config has no effect: add nodes to --controllers");
    ManagerPlan plan = planOf(List.of(option, "--controllers=nodes"));

    assertThat(plan.kwok().settings().manages(ApiObject.of(Kinds.NODE, "", "any"))).isTrue();
    assertThat(err.toString()).contains("kwok.yaml: options.tlsCertFile has no effect");
    assertThatThrownBy(() -> planOf(List.of("--kwok-config=missing", "--controllers=nodes")))
        .hasMessageContaining("there is no file missing");
  }

  private ManagerPlan plan(String yaml, String... flags) throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("config.yaml"),
            "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n" + yaml + "\n");
    var all = new ArrayList<>(List.of("--config", config.toString()));
    all.addAll(List.of(flags));
    return planOf(all);
  }

  private ManagerPlan planOf(List<String> flags) throws IOException {
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), KUBECONFIG);
    var command = new ManagerCommand();
    var line = new CommandLine(command).setErr(new PrintWriter(err));
    var all = new ArrayList<>(List.of("--kubeconfig", kubeconfig.toString()));
    all.addAll(flags);
    line.parseArgs(all.toArray(String[]::new));
    return command.plan();
  }
}
