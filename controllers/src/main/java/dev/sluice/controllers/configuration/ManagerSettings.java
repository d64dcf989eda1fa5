package dev.sluice.controllers.configuration;

import dev.sluice.model.tree.Tree;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of the manager's process: its servers, its client and leader election. No decision
 * depends on them.
 */
public record ManagerSettings(
    LeaderElection leaderElection,
    Webhook webhook,
    Metrics metrics,
    Health health,
    ClientConnection clientConnection,
    Certificates certificates,
    Visibility visibility,
    Tls tls) {

  /**
   * The leader election among several managers.
   *
   * @param lease the name of the Lease in {@code namespace}
   */
  public record LeaderElection(
      boolean enabled,
      String lease,
      String namespace,
      Duration leaseDuration,
      Duration renewDeadline,
      Duration retryPeriod) {

    /** The Lease of Kueue, so that Kueue and Sluice never manage the same queues at once. */
    public static final String USUAL_LEASE = "c1f6bfd2.kueue.x-k8s.io";
  }

  /**
   * The server for admission webhooks.
   *
   * @param port empty if not set
   * @param host empty if not set
   */
  public record Webhook(Optional<Integer> port, String host, String certificateDirectory) {}

  /**
   * The metrics and their server.
   *
   * @param bindAddress empty if metrics are not served
   * @param clusterQueueResources whether there are metrics of quotas and usage
   * @param localQueues whether there are metrics of LocalQueues
   * @param localQueueSelector the LocalQueues with metrics; an empty selector selects all
   * @param customLabels the custom labels of series
   */
  public record Metrics(
      Optional<String> bindAddress,
      boolean clusterQueueResources,
      boolean localQueues,
      Tree localQueueSelector,
      List<CustomLabel> customLabels) {
    public Metrics {
      customLabels = List.copyOf(customLabels);
    }
  }

  /**
   * The server for health probes.
   *
   * @param bindAddress empty if there is no server
   * @param readiness the name of an endpoint, without a slash
   * @param liveness the name of an endpoint, without a slash
   */
  public record Health(Optional<String> bindAddress, String readiness, String liveness) {}

  /**
   * The rate limit of requests to the API server.
   *
   * @param queriesPerSecond empty means no limit, which is the default
   * @param burst the number of requests that may exceed the rate at once
   */
  public record ClientConnection(Optional<BigDecimal> queriesPerSecond, int burst) {}

  /**
   * The certificates of the webhook.
   *
   * @param managed whether the manager creates them itself; otherwise an administrator puts them
   *     into the webhook's directory
   */
  public record Certificates(boolean managed, String webhookService, String webhookSecret) {}

  /**
   * The server for the visibility API.
   *
   * @param host empty if not set
   * @param port empty if not set
   */
  public record Visibility(boolean enabled, String host, Optional<Integer> port) {}

  /**
   * The TLS options of the servers for webhooks and the visibility API.
   *
   * @param newestOnly whether TLS 1.3 is the minimum version, instead of TLS 1.2
   * @param cipherSuites the cipher suites of TLS 1.2; empty means Java's defaults
   */
  public record Tls(boolean newestOnly, List<String> cipherSuites) {
    public Tls {
      cipherSuites = List.copyOf(cipherSuites);
    }
  }
}
