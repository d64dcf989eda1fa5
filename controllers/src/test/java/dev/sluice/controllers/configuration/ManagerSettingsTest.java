package dev.sluice.controllers.configuration;

import static dev.sluice.controllers.configuration.Files.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.ConfigurationFile.Loaded;
import dev.sluice.controllers.configuration.ManagerSettings.Certificates;
import dev.sluice.controllers.configuration.ManagerSettings.ClientConnection;
import dev.sluice.controllers.configuration.ManagerSettings.Health;
import dev.sluice.controllers.configuration.ManagerSettings.LeaderElection;
import dev.sluice.controllers.configuration.ManagerSettings.Metrics;
import dev.sluice.controllers.configuration.ManagerSettings.Tls;
import dev.sluice.controllers.configuration.ManagerSettings.Visibility;
import dev.sluice.controllers.configuration.ManagerSettings.Webhook;
import dev.sluice.model.tree.Tree;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The meaning of the fields about the manager's process. */
class ManagerSettingsTest {

  record Case(String name, String yaml, Function<ManagerSettings, Object> field, Object want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case(
              "election",
              "",
              ManagerSettings::leaderElection,
              new LeaderElection(
                  true,
                  "c1f6bfd2.kueue.x-k8s.io",
                  "kueue-system",
                  Duration.ofSeconds(15),
                  Duration.ofSeconds(10),
                  Duration.ofSeconds(2))),
          new Case(
              "own election",
              """
              leaderElection:
                leaderElect: false
                resourceLock: leases
                resourceName: mine
                resourceNamespace: elsewhere
                leaseDuration: 30s
                renewDeadline: 20s
                retryPeriod: 4s
              """,
              ManagerSettings::leaderElection,
              new LeaderElection(
                  false,
                  "mine",
                  "elsewhere",
                  Duration.ofSeconds(30),
                  Duration.ofSeconds(20),
                  Duration.ofSeconds(4))),
          new Case(
              "webhook",
              "",
              ManagerSettings::webhook,
              new Webhook(Optional.empty(), "", "/tmp/k8s-webhook-server/serving-certs")),
          new Case(
              "own webhook",
              "webhook: {port: 1, host: localhost, certDir: /certs}\n"
                  + "internalCertManagement: {enable: false}",
              ManagerSettings::webhook,
              new Webhook(Optional.of(1), "localhost", "/certs")),
          new Case(
              "metrics",
              "",
              ManagerSettings::metrics,
              new Metrics(Optional.of(":8443"), false, true, Tree.EMPTY, List.of())),
          new Case(
              "own metrics",
              """
              metrics:
                bindAddress: "[::1]:9000"
                enableClusterQueueResources: true
                localQueueMetrics:
                  enable: false
                  localQueueSelector: {matchLabels: {a: b}}
              """,
              ManagerSettings::metrics,
              new Metrics(
                  Optional.of("[::1]:9000"),
                  true,
                  false,
                  Tree.of("matchLabels", Tree.of("a", "b")),
                  List.of())),
          new Case(
              "no metrics",
              "metrics: {bindAddress: '0'}",
              settings -> settings.metrics().bindAddress(),
              Optional.empty()),
          new Case(
              "no metrics of LocalQueues",
              "featureGates: {LocalQueueMetrics: false}",
              settings -> settings.metrics().localQueues(),
              false),
          new Case(
              "health",
              "",
              ManagerSettings::health,
              new Health(Optional.of(":8081"), "readyz", "healthz")),
          new Case(
              "own health",
              """
              health:
                healthProbeBindAddress: "0"
                readinessEndpointName: r
                livenessEndpointName: l
              """,
              ManagerSettings::health,
              new Health(Optional.empty(), "r", "l")),
          new Case(
              "connection",
              "",
              ManagerSettings::clientConnection,
              new ClientConnection(Optional.empty(), 500)),
          new Case(
              "half a connection",
              "clientConnection: {burst: 7}",
              ManagerSettings::clientConnection,
              new ClientConnection(Optional.of(BigDecimal.valueOf(300)), 7)),
          new Case(
              "own connection",
              "clientConnection: {qps: 2.5, burst: 7}",
              ManagerSettings::clientConnection,
              new ClientConnection(Optional.of(new BigDecimal("2.5")), 7)),
          new Case(
              "connection without limit",
              "clientConnection: {qps: -1}",
              settings -> settings.clientConnection().queriesPerSecond(),
              Optional.empty()),
          new Case(
              "certificates",
              "",
              ManagerSettings::certificates,
              new Certificates(true, "sluice-webhook-service", "sluice-webhook-server-cert")),
          new Case(
              "own certificates",
              "internalCertManagement: {webhookServiceName: s, webhookSecretName: t}",
              ManagerSettings::certificates,
              new Certificates(true, "s", "t")),
          new Case(
              "certificates that are not managed",
              "internalCertManagement: {enable: false, webhookServiceName: s}",
              ManagerSettings::certificates,
              new Certificates(false, "s", "sluice-webhook-server-cert")),
          new Case(
              "visibility",
              "",
              ManagerSettings::visibility,
              new Visibility(true, "", Optional.empty())),
          new Case(
              "own visibility",
              "visibilityServer: {bindAddress: 127.0.0.1, bindPort: 9}",
              ManagerSettings::visibility,
              new Visibility(true, "127.0.0.1", Optional.of(9))),
          new Case(
              "no visibility",
              "featureGates: {VisibilityOnDemand: false}",
              settings -> settings.visibility().enabled(),
              false),
          new Case("security", "", ManagerSettings::tls, new Tls(false, List.of())),
          new Case(
              "only the newest security",
              "tls: {minVersion: VersionTLS13}",
              ManagerSettings::tls,
              new Tls(true, List.of())),
          new Case(
              "own security",
              "tls: {minVersion: VersionTLS12, cipherSuites:"
                  + " [TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]}",
              ManagerSettings::tls,
              new Tls(false, List.of("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"))));

  @ParameterizedTest
  @FieldSource("CASES")
  void reads(Case c) {
    for (String file : List.of(Files.v1beta1(c.yaml()), Files.v1beta2(c.yaml()))) {
      Loaded loaded = read(file);

      assertThat(c.field().apply(loaded.manager())).isEqualTo(c.want());
      assertThat(loaded.warnings()).isEmpty();
    }
  }
}
