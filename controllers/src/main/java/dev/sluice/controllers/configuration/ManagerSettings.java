package dev.sluice.controllers.configuration;

import dev.sluice.model.tree.Tree;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How the process that manages a real cluster runs: where it listens and how it talks. None of this
 * changes a decision.
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
   * How one of several managers becomes the one that works.
   *
   * @param lease the name of the Lease it holds, in {@code namespace}
   */
  public record LeaderElection(
      boolean enabled,
      String lease,
      String namespace,
      Duration leaseDuration,
      Duration renewDeadline,
      Duration retryPeriod) {

    /** The lease of Kueue: whoever manages queues must not do so beside another. */
    public static final String USUAL_LEASE = "c1f6bfd2.kueue.x-k8s.io";
  }

  /**
   * Where the API server asks about objects before it stores them.
   *
   * @param port empty if the file does not say
   * @param host empty if the file does not say
   */
  public record Webhook(Optional<Integer> port, String host, String certificateDirectory) {}

  /**
   * What is measured and where it is read.
   *
   * @param bindAddress empty if it is not served
   * @param clusterQueueResources whether quotas and usage are measured too
   * @param localQueues whether LocalQueues are measured
   * @param localQueueSelector which of them; an empty selector selects all
   * @param customLabels what series are told apart by beside what they are about
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
   * Where probes ask.
   *
   * @param bindAddress empty if probes are not answered
   * @param readiness the name of an endpoint, without a slash
   * @param liveness the name of an endpoint, without a slash
   */
  public record Health(Optional<String> bindAddress, String readiness, String liveness) {}

  /**
   * How fast the API server may be asked.
   *
   * @param queriesPerSecond empty means without limit, as it is if the file does not say
   * @param burst how many may come at once after a pause
   */
  public record ClientConnection(Optional<BigDecimal> queriesPerSecond, int burst) {}

  /**
   * The certificates of the webhook.
   *
   * @param managed whether the manager makes them itself; if not, somebody puts them into the
   *     webhook's directory
   */
  public record Certificates(boolean managed, String webhookService, String webhookSecret) {}

  /**
   * Where the API that shows pending workloads is served.
   *
   * @param host empty if the file does not say
   * @param port empty if the file does not say
   */
  public record Visibility(boolean enabled, String host, Optional<Integer> port) {}

  /**
   * How those must speak who call the webhooks and the API that shows pending workloads.
   *
   * @param newestOnly whether nothing older than TLS 1.3 is spoken, else nothing older than 1.2
   * @param cipherSuites those of TLS 1.2 that may be used; none means Java's own choice
   */
  public record Tls(boolean newestOnly, List<String> cipherSuites) {
    public Tls {
      cipherSuites = List.copyOf(cipherSuites);
    }
  }
}
