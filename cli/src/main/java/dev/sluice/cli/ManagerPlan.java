package dev.sluice.cli;

import dev.sluice.controllers.assembly.ControllerSet.Group;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.ConfigurationFile.Loaded;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfiguration;
import dev.sluice.controllers.nodes.KwokConfiguration;
import dev.sluice.kubernetes.Connection;
import dev.sluice.kubernetes.LeaderElection;
import dev.sluice.kubernetes.serving.ApiAddress;
import dev.sluice.kubernetes.serving.HostAndPort;
import dev.sluice.kubernetes.serving.OpsServer;
import dev.sluice.kubernetes.serving.TlsPolicy;
import dev.sluice.kubernetes.serving.WebhookAddress;
import dev.sluice.kubernetes.serving.Webhooks;
import dev.sluice.model.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The plan of a manager, made of flags, file and the place where it runs.
 *
 * @param kwok how nodes are simulated
 * @param scheduling which pods to bind, and how
 * @param identity the name of this process, different from all others
 * @param namespace where the manager lives
 * @param election how it is elected leader; empty without leader election
 * @param webhooks how it serves webhooks; empty if it does not
 * @param visibility how it serves the visibility API; empty if it does not
 * @param tls what clients of the two must support
 * @param health where to serve health, if at all
 * @param endpoints the names of the health endpoints
 * @param metrics where to serve metrics, if at all
 * @param guardsMetrics whether over HTTPS, to callers that the cluster lets read them
 */
record ManagerPlan(
    Connection connection,
    Loaded loaded,
    KwokConfiguration kwok,
    Set<Group> groups,
    SchedulerConfiguration scheduling,
    String identity,
    String namespace,
    Optional<Election> election,
    Optional<Hooks> webhooks,
    Optional<Visibility> visibility,
    TlsPolicy tls,
    Optional<HostAndPort> health,
    OpsServer.Endpoints endpoints,
    Optional<HostAndPort> metrics,
    boolean guardsMetrics) {

  /** The lease of leader election, and its durations. */
  record Election(ObjectKey lease, LeaderElection.Terms terms) {}

  /** Where webhooks are served, how the API server reaches them, and with which certificates. */
  record Hooks(HostAndPort listen, WebhookAddress address, Webhooks.Certificates certificates) {}

  /** Where the visibility API is served, and how the API server reaches it. */
  record Visibility(HostAndPort listen, ApiAddress address) {}

  Configuration configuration() {
    return loaded.configuration();
  }

  /** Whether it manages queues, and so needs what belongs to them. */
  boolean queues() {
    return groups.contains(Group.QUEUEING);
  }

  /** Whether the visibility API is wanted, but an API server has no way to reach it. */
  boolean cannotShowWhoWaits() {
    return queues() && visibility.isEmpty() && loaded.manager().visibility().enabled();
  }

  /** What it manages, in words. */
  String matter() {
    if (queues()) {
      return "the queues";
    }
    List<String> words = groups.stream().sorted().map(Group::word).toList();
    return String.join(", ", words);
  }
}
