package dev.sluice.cli;

import dev.sluice.controllers.ControllerSet.Group;
import dev.sluice.controllers.configuration.ConfigurationFile.Loaded;
import dev.sluice.controllers.configuration.ManagerSettings;
import dev.sluice.kubernetes.Connection;
import dev.sluice.kubernetes.LeaderElection;
import dev.sluice.kubernetes.RequestRate;
import dev.sluice.kubernetes.serving.ApiAddress;
import dev.sluice.kubernetes.serving.HostAndPort;
import dev.sluice.kubernetes.serving.OpsServer;
import dev.sluice.kubernetes.serving.WebhookAddress;
import dev.sluice.kubernetes.serving.Webhooks;
import dev.sluice.model.ApiException;
import dev.sluice.model.Kinds;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(name = "manager", description = "Manage the queues of a real Kubernetes cluster.")
final class ManagerCommand implements Callable<Integer> {
  private static final String NAMESPACE = "kueue-system";
  private static final int WEBHOOK_PORT = 9443;
  private static final int VISIBILITY_PORT = 8082;

  @Spec private CommandSpec spec;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "How to reach the cluster. Default: as a pod of the cluster.")
  private Optional<Path> kubeconfig = Optional.empty();

  @Option(
      names = "--controllers",
      paramLabel = "NAME,...",
      split = ",",
      defaultValue = "queueing",
      description =
          "What to run there, of: ${COMPLETION-CANDIDATES}. Leave out what the cluster does itself:"
              + " Kubernetes has its own jobs, scheduling and housekeeping. Default: queueing",
      converter = GroupNames.class,
      completionCandidates = GroupNames.class)
  private Set<Group> groups = EnumSet.noneOf(Group.class);

  @Option(
      names = "--scheduler-name",
      paramLabel = "NAME",
      description =
          "With 'scheduling': bind only pods that ask for this scheduler, beside others. Default:"
              + " those that ask for default-scheduler, sluice or none")
  private Optional<String> schedulerName = Optional.empty();

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      description =
          "Where the manager lives, with its lease and certificates. Default: as the file says,"
              + " else the pod's own, else kueue-system")
  private Optional<String> namespace = Optional.empty();

  @Option(
      names = "--no-leader-elect",
      description =
          "Do not agree with other managers on who leads: be sure that there is no other.")
  private boolean alone;

  @Option(
      names = "--webhook-url",
      paramLabel = "URL",
      description =
          "How the API server reaches this process to ask its webhooks, as https://HOST[:PORT]; the"
              + " API that shows who waits is reached at the same host."
              + " Default: in the cluster by a Service, from outside by this machine's address")
  private Optional<URI> webhookUrl = Optional.empty();

  @Option(
      names = "--webhook-port",
      paramLabel = "N",
      description =
          "Where the webhooks listen; 0 takes any free port. Default: 9443 in the cluster, else the"
              + " port of --webhook-url or any free one")
  private Optional<Integer> webhookPort = Optional.empty();

  @Option(
      names = "--visibility-port",
      paramLabel = "N",
      description =
          "Where the API that shows who waits listens; 0 takes any free port. Default: 8082 in the"
              + " cluster, else any free one")
  private Optional<Integer> visibilityPort = Optional.empty();

  @Option(
      names = "--health-address",
      paramLabel = "[HOST]:PORT",
      description = "Serve /healthz and /readyz there, over HTTP.")
  private Optional<String> healthAddress = Optional.empty();

  @Option(
      names = "--metrics-address",
      paramLabel = "[HOST]:PORT",
      description = "Serve /metrics there, over HTTP, for Prometheus.")
  private Optional<String> metricsAddress = Optional.empty();

  @Option(
      names = "--no-webhooks",
      description =
          "Do not serve webhooks: only the schemas refuse bad input then, v1beta1 is not converted,"
              + " and a job may start a pod before it is suspended.")
  private boolean withoutWebhooks;

  @Mixin private final ConfigurationOptions configuration = new ConfigurationOptions();
  @Mixin private final KwokConfigurationOption kwok = new KwokConfigurationOption();
  @Mixin private final InvariantOptions invariants = new InvariantOptions();

  @Override
  public Integer call() throws InterruptedException {
    ManagerPlan plan = plan();
    var process = new ManagerProcess(plan, this::say);
    Ending.await(
        process::close,
        () -> {
          try {
            process.start();
          } catch (ApiException refused) {
            throw UserError.failure(plan.connection().server() + ": " + refused.getMessage());
          } catch (IllegalArgumentException taken) {
            throw UserError.failure(String.valueOf(taken.getMessage()));
          }
        });
    return 0;
  }

  private void say(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }

  /** What the flags, the file and the place where we run come to; flags win over the file. */
  ManagerPlan plan() {
    if (schedulerName.isPresent() && !groups.contains(Group.SCHEDULING)) {
      throw UserError.usage(
          "--scheduler-name %s has no effect: add scheduling to --controllers, or leave it out"
              .formatted(schedulerName.get()));
    }
    if (kwok.isGiven() && !groups.contains(Group.NODES)) {
      throw UserError.usage(
          "--kwok-config has no effect: add nodes to --controllers, or leave it out");
    }
    try {
      Connection connection =
          kubeconfig.map(Connection::kubeconfig).orElseGet(Connection::inCluster);
      Loaded loaded = configuration.load(namespace.or(connection::podNamespace).orElse(NAMESPACE));
      ManagerSettings file = loaded.manager();
      String home = home(loaded.configuration().namespace());
      WebhookAddress address = webhookAddress(connection, home, file);
      return new ManagerPlan(
          limited(connection, file.clientConnection()),
          loaded,
          kwok.load(),
          checkedGroups(),
          schedulerName,
          identity(),
          home,
          election(file.leaderElection()),
          hooks(address, file),
          visibility(connection, address, home, file.visibility()),
          healthAddress.or(() -> configured(file.health().bindAddress())).map(HostAndPort::parse),
          new OpsServer.Endpoints(file.health().liveness(), file.health().readiness()),
          metricsAddress
              .or(() -> configured(file.metrics().bindAddress()))
              .map(HostAndPort::parse));
    } catch (IllegalArgumentException wrong) {
      throw UserError.usage(String.valueOf(wrong.getMessage()));
    }
  }

  private String home(String inFile) {
    if (namespace.isPresent() && !namespace.get().equals(inFile)) {
      throw new IllegalArgumentException(
          "--namespace is %s, but the file's namespace is %s: give one of them, or the same twice"
              .formatted(namespace.get(), inFile));
    }
    return inFile;
  }

  private static Connection limited(
      Connection connection, ManagerSettings.ClientConnection limits) {
    return limits
        .queriesPerSecond()
        .map(rate -> connection.limited(new RequestRate(rate, limits.burst())))
        .orElse(connection);
  }

  private Optional<ManagerPlan.Election> election(ManagerSettings.LeaderElection file) {
    if (alone || !file.enabled()) {
      return Optional.empty();
    }
    return Optional.of(
        new ManagerPlan.Election(
            Kinds.LEASE.key(file.namespace(), file.lease()),
            new LeaderElection.Terms(
                file.leaseDuration(), file.renewDeadline(), file.retryPeriod())));
  }

  private Optional<ManagerPlan.Hooks> hooks(WebhookAddress address, ManagerSettings file) {
    if (withoutWebhooks) {
      return Optional.empty();
    }
    var certificates =
        file.certificates().managed()
            ? new Webhooks.Certificates.Made(file.certificates().webhookSecret())
            : new Webhooks.Certificates.InFolder(Path.of(file.webhook().certificateDirectory()));
    int usual =
        switch (address) {
          case WebhookAddress.Service _ -> WEBHOOK_PORT;
          case WebhookAddress.Url url -> url.port();
        };
    int port = webhookPort.or(file.webhook()::port).orElse(usual);
    return Optional.of(
        new ManagerPlan.Hooks(
            new HostAndPort(host(file.webhook().host(), address), port), address, certificates));
  }

  private Optional<ManagerPlan.Visibility> visibility(
      Connection connection,
      WebhookAddress webhooks,
      String home,
      ManagerSettings.Visibility file) {
    if (!file.enabled() || !groups.contains(Group.QUEUEING)) {
      return Optional.empty();
    }
    Optional<Integer> port = visibilityPort.or(file::port);
    if (connection.podNamespace().isEmpty() && webhooks instanceof WebhookAddress.Url url) {
      var listen = new HostAndPort(host(file.host(), url), port.orElse(0));
      return ApiAddress.outside(home, url.base())
          .map(address -> new ManagerPlan.Visibility(listen, address));
    }
    var listen = new HostAndPort(file.host(), port.orElse(VISIBILITY_PORT));
    return Optional.of(new ManagerPlan.Visibility(listen, ApiAddress.inside(home)));
  }

  /** Where to listen if nobody says: everywhere, unless only this machine is to reach us. */
  private static String host(String inFile, WebhookAddress address) {
    boolean local = address instanceof WebhookAddress.Url url && url.isLocal();
    return inFile.isEmpty() && local ? "127.0.0.1" : inFile;
  }

  /** Addresses of a file hold only if there is one: Kueue's defaults are for its own pod. */
  private Optional<String> configured(Optional<String> address) {
    return configuration.isGiven() ? address : Optional.empty();
  }

  /**
   * The promises of queueing can be checked only beside it: what it keeps in memory is compared.
   */
  private Set<Group> checkedGroups() {
    Set<Group> all = invariants.with(groups);
    if (all.contains(Group.INVARIANTS) && !all.contains(Group.QUEUEING)) {
      throw UserError.usage(
          "the promises of queueing are checked only where it runs: add queueing to --controllers,"
              + " or leave out invariants and --check-invariants");
    }
    return all;
  }

  private WebhookAddress webhookAddress(Connection connection, String home, ManagerSettings file) {
    if (webhookUrl.isPresent()) {
      return new WebhookAddress.Url(webhookUrl.get());
    }
    return connection.podNamespace().isPresent()
        ? new WebhookAddress.Service(home, file.certificates().webhookService())
        : WebhookAddress.Url.reachableFrom(URI.create(connection.server()));
  }

  /** The pod's name where there is one, and a word that no other process has. */
  private static String identity() {
    return System.getenv().getOrDefault("HOSTNAME", "sluice") + "_" + UUID.randomUUID();
  }
}
