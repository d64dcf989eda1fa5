package dev.sluice.cli;

import dev.sluice.controllers.assembly.ControllerSet.Group;
import dev.sluice.controllers.configuration.ConfigurationFile.Loaded;
import dev.sluice.controllers.configuration.ManagerSettings;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfiguration;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfigurationFile;
import dev.sluice.kubernetes.Connection;
import dev.sluice.kubernetes.LeaderElection;
import dev.sluice.kubernetes.RequestRate;
import dev.sluice.kubernetes.serving.HostAndPort;
import dev.sluice.kubernetes.serving.OpsServer;
import dev.sluice.kubernetes.serving.TlsPolicy;
import dev.sluice.kubernetes.serving.WebhookAddress;
import dev.sluice.model.ApiException;
import dev.sluice.model.Kinds;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice manager}: turns flags, file and environment into a plan for its process. */
@Command(name = "manager", description = "Manage the queues of a real Kubernetes cluster.")
final class ManagerCommand implements Callable<Integer> {
  private static final String NAMESPACE = "kueue-system";

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
          "With 'scheduling': bind only pods that ask for this scheduler. Default:"
              + " those that ask for default-scheduler, sluice or none. Managers share a lease"
              + " whatever this name: for two that schedule at once, name the scheduler and another"
              + " leaderElection.resourceName in the file of --scheduler-config")
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
      description = "Run without leader election: make sure that no other manager runs.")
  private boolean alone;

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
      names = "--metrics-auth",
      description =
          "Serve /metrics over HTTPS instead, and only to callers whose bearer token the cluster"
              + " knows, and who may get /metrics there.")
  private boolean guardsMetrics;

  @Mixin private final ServingOptions serving = new ServingOptions();
  @Mixin private final ConfigurationOptions configuration = new ConfigurationOptions();
  @Mixin private final KwokConfigurationOption kwok = new KwokConfigurationOption();

  @Mixin private final SchedulerConfigurationOption scheduling = new SchedulerConfigurationOption();

  @Mixin private final InvariantOptions invariants = new InvariantOptions();
  @Mixin private final LogOptions log = new LogOptions();

  @Override
  public Integer call() throws InterruptedException {
    log.apply();
    ManagerPlan plan = plan();
    ManagerProcess process = prepare(plan);
    ShutdownSignal.await(
        process::close,
        () -> {
          try {
            process.start();
          } catch (ApiException refused) {
            throw KubeconfigOption.refusal(plan.connection(), refused);
          } catch (IllegalArgumentException taken) {
            throw UserError.failure(String.valueOf(taken.getMessage()));
          }
        });
    return 0;
  }

  private ManagerProcess prepare(ManagerPlan plan) {
    try {
      return new ManagerProcess(plan, this::say);
    } catch (IllegalArgumentException unusable) {
      throw UserError.usage(String.valueOf(unusable.getMessage()));
    }
  }

  private void say(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }

  /** The plan by flags, file and the place where the manager runs; flags win over the file. */
  ManagerPlan plan() {
    var idle = new IdleFlags(groups);
    idle.refuse("--scheduler-name", schedulerName.isPresent(), Set.of(Group.SCHEDULING));
    idle.refuse("--scheduler-config", scheduling.isGiven(), Set.of(Group.SCHEDULING));
    idle.refuse("--kwok-config", kwok.isGiven(), Set.of(Group.NODES));
    serving.refuseIdle(idle);
    refuseNameBesideFile();
    try {
      Connection connection =
          kubeconfig.map(Connection::kubeconfig).orElseGet(Connection::inCluster);
      Loaded loaded = configuration.load(namespace.or(connection::podNamespace).orElse(NAMESPACE));
      ManagerSettings file = loaded.manager();
      String home = home(loaded.configuration().namespace());
      WebhookAddress address = serving.address(connection, home, file);
      configuration.warn(ServingOptions.idle(address, file.certificates()));
      Optional<SchedulerConfigurationFile.Loaded> profiles = scheduling.load(home);
      return new ManagerPlan(
          limited(connection, file.clientConnection()),
          loaded,
          kwok.load(),
          invariants.with(groups),
          profiles
              .map(SchedulerConfigurationFile.Loaded::configuration)
              .orElseGet(this::schedulingByName),
          identity(),
          home,
          election(profiles.flatMap(this::electionOfScheduler).orElse(file.leaderElection())),
          serving.hooks(address, file, groups),
          serving.visibility(connection, address, home, file.visibility(), groups),
          new TlsPolicy(file.tls().newestOnly(), file.tls().cipherSuites()),
          address("--health-address", healthAddress)
              .or(() -> configured(file.health().bindAddress())),
          new OpsServer.Endpoints(file.health().liveness(), file.health().readiness()),
          metrics(file),
          guardsMetrics);
    } catch (IllegalArgumentException wrong) {
      throw UserError.usage(String.valueOf(wrong.getMessage()));
    }
  }

  private void refuseNameBesideFile() {
    if (schedulerName.isPresent() && scheduling.isGiven()) {
      throw UserError.usage(
          "--scheduler-name has no effect together with --scheduler-config: give the profile that name in"
              + " the file, as schedulerName");
    }
  }

  private SchedulerConfiguration schedulingByName() {
    return schedulerName.map(SchedulerConfiguration::named).orElse(SchedulerConfiguration.DEFAULT);
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

  /** Leader election of kube-scheduler's file, for a manager that only schedules. */
  private Optional<ManagerSettings.LeaderElection> electionOfScheduler(
      SchedulerConfigurationFile.Loaded profiles) {
    if (groups.equals(Set.of(Group.SCHEDULING)) && !configuration.isGiven()) {
      return profiles.election();
    }
    if (profiles.election().isPresent()) {
      scheduling.warn(
          "leaderElection: has no effect: it is for a manager that only schedules and has no"
              + " --config; say it in Kueue's Configuration, which --config names");
    }
    return Optional.empty();
  }

  private Optional<ManagerPlan.Election> election(ManagerSettings.LeaderElection file) {
    if (alone || !file.enabled()) {
      return Optional.empty();
    }
    return Optional.of(
        new ManagerPlan.Election(
            Kinds.LEASE.key(file.namespace(), lease(file.lease())),
            new LeaderElection.Terms(
                file.leaseDuration(), file.renewDeadline(), file.retryPeriod())));
  }

  /** Managers that run different controllers use different leases. */
  private String lease(String inFile) {
    boolean usual = inFile.equals(ManagerSettings.LeaderElection.USUAL_LEASE);
    return usual && !groups.contains(Group.QUEUEING)
        ? groups.stream().sorted().map(Group::word).collect(Collectors.joining("-", "sluice-", ""))
        : inFile;
  }

  /** The address in the file, if one is given: Kueue's defaults are for its own pod. */
  private Optional<HostAndPort> configured(Optional<String> address) {
    return address.filter(_ -> configuration.isGiven()).map(HostAndPort::parse);
  }

  private Optional<HostAndPort> metrics(ManagerSettings file) {
    Optional<HostAndPort> at =
        address("--metrics-address", metricsAddress)
            .or(() -> configured(file.metrics().bindAddress()));
    if (guardsMetrics && at.isEmpty()) {
      throw UserError.usage("--metrics-auth has no effect without metrics: give --metrics-address");
    }
    return at;
  }

  private static Optional<HostAndPort> address(String flag, Optional<String> value) {
    return value.map(text -> Flag.read(flag, () -> HostAndPort.parse(text)));
  }

  /** The pod's name where there is one, and a random part that no other process has. */
  private static String identity() {
    return System.getenv().getOrDefault("HOSTNAME", "sluice") + "_" + UUID.randomUUID();
  }
}
