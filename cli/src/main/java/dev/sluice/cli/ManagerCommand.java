package dev.sluice.cli;

import dev.sluice.controllers.ControllerSet.Group;
import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.controllers.configuration.ConfigurationFile.Loaded;
import dev.sluice.controllers.configuration.ManagerSettings;
import dev.sluice.kubernetes.Connection;
import dev.sluice.kubernetes.serving.HostAndPort;
import dev.sluice.kubernetes.serving.WebhookAddress;
import dev.sluice.kubernetes.serving.Webhooks;
import dev.sluice.model.ApiException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
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
      names = "--namespace",
      paramLabel = "NAME",
      description =
          "Where the manager lives, with its lease and certificates. Default: the pod's own, else"
              + " kueue-system")
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
          "How the API server reaches this process to ask its webhooks, as https://HOST[:PORT]."
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
  @Mixin private final InvariantOptions invariants = new InvariantOptions();

  @Override
  public Integer call() throws InterruptedException {
    ManagerProcess.Settings settings = settings();
    var process = new ManagerProcess(settings, this::say);
    Ending.await(
        process::close,
        () -> {
          try {
            process.start();
          } catch (ApiException refused) {
            throw UserError.failure(settings.connection().server() + ": " + refused.getMessage());
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

  private ManagerProcess.Settings settings() {
    try {
      Connection connection =
          kubeconfig.map(Connection::kubeconfig).orElseGet(Connection::inCluster);
      String home = namespace.or(connection::podNamespace).orElse(NAMESPACE);
      Loaded loaded = configuration.load(home);
      ManagerSettings file = loaded.manager();
      warnOfUnused(file, ConfigurationFile.none(new TreeMap<>(), home).manager());
      WebhookAddress address = webhookAddress(connection, home);
      return new ManagerProcess.Settings(
          connection,
          loaded,
          invariants.with(groups),
          identity(),
          home,
          !alone && file.leaderElection().enabled(),
          !withoutWebhooks,
          listening(address),
          address,
          healthAddress.or(() -> configured(file.health().bindAddress())).map(HostAndPort::parse),
          metricsAddress
              .or(() -> configured(file.metrics().bindAddress()))
              .map(HostAndPort::parse));
    } catch (IllegalArgumentException wrong) {
      throw UserError.usage(String.valueOf(wrong.getMessage()));
    }
  }

  /** Names the sections of a file that are read but do not change how the manager runs yet. */
  private void warnOfUnused(ManagerSettings file, ManagerSettings standard) {
    var unused = new ArrayList<String>();
    var election = file.leaderElection();
    var usual = standard.leaderElection();
    if (!election.lease().equals(usual.lease())
        || !election.namespace().equals(usual.namespace())
        || !election.leaseDuration().equals(usual.leaseDuration())
        || !election.renewDeadline().equals(usual.renewDeadline())
        || !election.retryPeriod().equals(usual.retryPeriod())) {
      unused.add("leaderElection, apart from leaderElect");
    }
    if (!file.webhook().equals(standard.webhook())) {
      unused.add("webhook; use --webhook-url and --webhook-port");
    }
    if (!file.health().readiness().equals(standard.health().readiness())
        || !file.health().liveness().equals(standard.health().liveness())) {
      unused.add("health, apart from healthProbeBindAddress");
    }
    if (!file.clientConnection().equals(standard.clientConnection())) {
      unused.add("clientConnection");
    }
    if (!file.certificates().equals(standard.certificates())) {
      unused.add("internalCertManagement");
    }
    PrintWriter err = spec.commandLine().getErr();
    unused.forEach(section -> err.println("the manager does not use this section yet: " + section));
    err.flush();
  }

  /** Addresses of a file hold only if there is one: Kueue's defaults are for its own pod. */
  private Optional<String> configured(Optional<String> address) {
    return configuration.isGiven() ? address : Optional.empty();
  }

  private WebhookAddress webhookAddress(Connection connection, String home) {
    if (webhookUrl.isPresent()) {
      return new WebhookAddress.Url(webhookUrl.get());
    }
    return connection.podNamespace().isPresent()
        ? new WebhookAddress.Service(home, Webhooks.SERVICE)
        : WebhookAddress.Url.reachableFrom(URI.create(connection.server()));
  }

  private HostAndPort listening(WebhookAddress address) {
    return switch (address) {
      case WebhookAddress.Service ignored -> new HostAndPort("", webhookPort.orElse(WEBHOOK_PORT));
      case WebhookAddress.Url url ->
          new HostAndPort(url.isLocal() ? "127.0.0.1" : "", webhookPort.orElse(url.port()));
    };
  }

  /** The pod's name where there is one, and a word that no other process has. */
  private static String identity() {
    return System.getenv().getOrDefault("HOSTNAME", "sluice") + "_" + UUID.randomUUID();
  }
}
