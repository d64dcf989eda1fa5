package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.kubernetes.LeaderElection.Terms;
import dev.sluice.kubernetes.serving.HostAndPort;
import dev.sluice.kubernetes.serving.OpsServer.Endpoints;
import dev.sluice.kubernetes.serving.TlsPolicy;
import dev.sluice.kubernetes.serving.Webhooks;
import dev.sluice.model.Kinds;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What flags and file come to, for a manager outside its cluster. */
class ManagerCommandTest {
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
              "internalCertManagement: {enable: true}",
              "",
              plan -> plan.webhooks().orElseThrow().certificates(),
              new Webhooks.Certificates.Made(Webhooks.SECRET)),
          new Case(
              "certificates of another issuer",
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
              "no webhooks for a manager that only schedules",
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
  private ManagerPlans plans;

  @BeforeEach
  void prepare() {
    plans = new ManagerPlans(folder);
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void plans(Case c) throws IOException {
    String[] flags = c.flags().isEmpty() ? new String[0] : c.flags().split(" ", -1);

    assertThat(c.part().apply(plans.plan(c.yaml(), flags))).isEqualTo(c.want());
    assertThat(plans.errors()).isEmpty();
  }

  @Test
  void namesThatOnlyAServiceNeedsAreWarnedOf() throws IOException {
    plans.plan("internalCertManagement: {webhookServiceName: s, webhookSecretName: t}");

    String why = ": has no effect: the webhooks are reached by a URL";
    assertThat(plans.errors().lines())
        .containsExactly(
            folder.resolve("config.yaml") + ": internalCertManagement.webhookServiceName" + why,
            folder.resolve("config.yaml") + ": internalCertManagement.webhookSecretName" + why);
  }

  @Test
  void withoutAFileItsDefaultsForAddressesDoNotHold() throws IOException {
    ManagerPlan plan = plans.plan("");

    assertThat(plan.health()).isPresent(); // an empty file is one
    assertThat(plans.planOf(List.of()).health()).isEmpty();
    assertThat(plans.planOf(List.of()).metrics()).isEmpty();
  }
}
