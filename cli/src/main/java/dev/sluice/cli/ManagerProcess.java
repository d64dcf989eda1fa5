package dev.sluice.cli;

import dev.sluice.controllers.ControllerSet;
import dev.sluice.controllers.ControllerSet.Group;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.ConfigurationFile.Loaded;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.QueueInsight;
import dev.sluice.kubernetes.Connection;
import dev.sluice.kubernetes.CrdInstaller;
import dev.sluice.kubernetes.FencedCluster;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.kubernetes.LeaderElection;
import dev.sluice.kubernetes.serving.HostAndPort;
import dev.sluice.kubernetes.serving.OpsServer;
import dev.sluice.kubernetes.serving.WebhookAddress;
import dev.sluice.kubernetes.serving.Webhooks;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueConversion;
import dev.sluice.model.kueue.KueueDefinitions;
import dev.sluice.model.kwok.KwokDefinitions;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.LiveDriver;
import dev.sluice.runtime.RealTime;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The manager of a real cluster. It comes up in this order: health, definitions, caches, webhooks,
 * readiness; then it waits until it leads, and only then its controllers run. A follower does
 * everything but that, so that it can take over at once. It goes down in the opposite order.
 *
 * <p>Threads: start and close it from one thread each.
 */
final class ManagerProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ManagerProcess.class);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Kueue's own, so that a Kueue and a Sluice in one namespace never manage it both. */
  private static final String LEASE = "c1f6bfd2.kueue.x-k8s.io";

  /**
   * What a user decides.
   *
   * @param identity the name of this process, unlike all others
   * @param namespace where the manager lives, its lease above all
   * @param elects whether it waits until it leads
   * @param judges whether it serves webhooks
   * @param health where to serve health, if at all
   * @param metrics where to serve metrics, if at all
   */
  record Settings(
      Connection connection,
      Loaded loaded,
      Set<Group> groups,
      String identity,
      String namespace,
      boolean elects,
      boolean judges,
      HostAndPort webhooks,
      WebhookAddress webhookAddress,
      Optional<HostAndPort> health,
      Optional<HostAndPort> metrics) {

    Configuration configuration() {
      return loaded.configuration();
    }
  }

  private final Settings settings;
  private final Consumer<String> say;
  private final RealTime time = new RealTime();
  private final KubernetesCluster cluster;
  private final Cluster fenced;
  private final Webhooks webhooks;
  private final Optional<LeaderElection> election;
  private final List<OpsServer> ops = new ArrayList<>();
  private volatile boolean cached;
  private volatile Optional<LiveDriver> driver = Optional.empty();
  private volatile Optional<QueueInsight> insight = Optional.empty();

  /**
   * @param say tells the user what it does
   */
  ManagerProcess(Settings settings, Consumer<String> say) {
    this.settings = settings;
    this.say = say;
    this.cluster = new KubernetesCluster(settings.connection(), time, new SecureRandom());
    this.fenced = new FencedCluster(cluster, this::leads);
    this.webhooks = new Webhooks(cluster.uncached(), webhookSettings(), time);
    this.election = settings.elects() ? Optional.of(election()) : Optional.empty();
    settings.health().map(at -> OpsServer.health(at, this::missing)).ifPresent(ops::add);
    settings.metrics().map(at -> OpsServer.metrics(at, this::metrics)).ifPresent(ops::add);
  }

  private Webhooks.Settings webhookSettings() {
    return new Webhooks.Settings(
        settings.webhooks(),
        settings.webhookAddress(),
        settings.namespace(),
        ControllerSet.admissionHooks(settings.groups(), cluster, settings.configuration()),
        KueueConversion::convert,
        KueueDefinitions.converted().stream()
            .map(plural -> plural + "." + Kinds.WORKLOAD.group())
            .toList());
  }

  private LeaderElection election() {
    return new LeaderElection(
        cluster.uncached(),
        Kinds.LEASE.key(settings.namespace(), LEASE),
        settings.identity(),
        LeaderElection.Terms.NORMAL,
        time,
        new Leader());
  }

  private boolean isOutside() {
    return settings.connection().podNamespace().isEmpty();
  }

  private boolean leads() {
    return election.map(LeaderElection::leads).orElse(true);
  }

  private List<String> missing() {
    var missing = new ArrayList<String>();
    if (!cached) {
      missing.add("the caches are not filled yet");
    }
    if (settings.judges() && !webhooks.serves()) {
      missing.add("the webhooks are not served");
    }
    return missing;
  }

  private String metrics() {
    return """
    # HELP sluice_leads Whether this manager leads, and so whether its controllers run.
    # TYPE sluice_leads gauge
    sluice_leads %d
    """
            .formatted(leads() ? 1 : 0)
        + insight.map(QueueInsight::metrics).orElse("");
  }

  /**
   * Starts everything; returns when the manager is ready.
   *
   * @throws IllegalArgumentException if it cannot listen where it should
   * @throws ApiException if the cluster refuses what it needs
   */
  void start() {
    ops.forEach(OpsServer::start);
    if (isOutside()) {
      installWhatIsMissing();
    }
    for (Controller controller : controllers(insight(cluster))) {
      controller.triggers().forEach(trigger -> cluster.list(trigger.kind()));
    }
    cached = true;
    if (settings.judges()) {
      webhooks.serve();
    }
    if (settings.judges() && settings.webhookAddress() instanceof WebhookAddress.Service) {
      webhooks.register();
    }
    election.ifPresentOrElse(LeaderElection::start, new Leader()::lead);
  }

  /** In a cluster the installation brought it; from outside there may have been none. */
  private void installWhatIsMissing() {
    try {
      new CrdInstaller(cluster, PATIENCE).install(KueueDefinitions.all());
      new CrdInstaller(cluster, PATIENCE).install(missingKwokDefinitions());
      var objects = cluster.uncached();
      var key = Kinds.NAMESPACE.key(settings.namespace());
      if (settings.elects() && objects.get(key).isEmpty()) {
        objects.create(key, ApiObject.of(Kinds.NAMESPACE, "", settings.namespace()));
      }
    } catch (ApiException refused) {
      if (!refused.is(ApiFailure.Reason.FORBIDDEN)) {
        throw refused;
      }
      // Then somebody else installs; what is really missing shows when it is read.
      LOG.warn("this account does not install anything: {}", refused.getMessage());
    }
  }

  /** Where KWOK is, its own stay. */
  private List<ApiObject> missingKwokDefinitions() {
    if (!settings.groups().contains(Group.NODES)) {
      return List.of();
    }
    return KwokDefinitions.all().stream()
        .filter(
            definition -> cluster.get(definition.key(Kinds.CUSTOM_RESOURCE_DEFINITION)).isEmpty())
        .toList();
  }

  private QueueInsight insight(Cluster world) {
    return new QueueInsight(world, settings.loaded(), this::role, VersionCommand.version());
  }

  private String role() {
    if (election.isEmpty()) {
      return "standalone";
    }
    return leads() ? "leader" : "follower";
  }

  private List<Controller> controllers(QueueInsight of) {
    return of.controllers(settings.groups(), DecisionLog.NONE);
  }

  /** What only a leader does. */
  private final class Leader implements LeaderElection.Candidate {
    @Override
    public void lead() {
      // By URL there is one place to ask, and it must be with whoever leads.
      if (settings.judges() && settings.webhookAddress() instanceof WebhookAddress.Url) {
        webhooks.register();
      }
      // Counts begin anew with every term: before it, others decided.
      QueueInsight term = insight(fenced);
      insight = Optional.of(term);
      var next = new LiveDriver(fenced, controllers(term));
      driver = Optional.of(next);
      next.start();
      say.accept("Sluice manages the queues of " + settings.connection().server() + ".");
    }

    @Override
    public void follow(String leader) {
      say.accept(
          "Sluice stands by: %s manages the queues of %s."
              .formatted(leader, settings.connection().server()));
    }

    @Override
    public void stepDown() {
      driver.ifPresent(LiveDriver::close);
      driver = Optional.empty();
      insight = Optional.empty();
    }
  }

  @Override
  public void close() {
    cached = false;
    if (settings.judges()) {
      quietly("take back the webhooks", webhooks::unregister);
    }
    quietly("stop to lead", () -> election.ifPresent(LeaderElection::close));
    quietly("stop the controllers", new Leader()::stepDown);
    quietly("stop the webhooks", webhooks::close);
    ops.forEach(server -> quietly("stop to answer", server::close));
    quietly("close the connection", cluster::close);
    time.close();
  }

  /** One step that fails must not keep the others from being done. */
  private static void quietly(String what, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException failed) {
      LOG.warn("could not {}: {}", what, failed.getMessage());
    }
  }
}
