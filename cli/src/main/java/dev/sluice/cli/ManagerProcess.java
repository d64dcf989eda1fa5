package dev.sluice.cli;

import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.assembly.ControllerSet.Group;
import dev.sluice.controllers.assembly.QueueInsight;
import dev.sluice.controllers.nodes.usage.SimulatedUsage;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.visibility.VisibilityApi;
import dev.sluice.kubernetes.FencedCluster;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.kubernetes.LeaderElection;
import dev.sluice.kubernetes.serving.AggregatedApi;
import dev.sluice.kubernetes.serving.HostAndPort;
import dev.sluice.kubernetes.serving.OpsServer;
import dev.sluice.kubernetes.serving.Webhooks;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueConversion;
import dev.sluice.model.kueue.KueueDefinitions;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.ComputedApi;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.LiveDriver;
import dev.sluice.runtime.MetricPages;
import dev.sluice.runtime.RealTime;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The manager of a real cluster. It starts in this order: health, definitions, caches, webhooks and
 * visibility, readiness; then it waits until it leads, and only then its controllers run. A
 * follower does everything but that, so that it can take over at once, and reads the queues, so
 * that it can serve the visibility API. It stops in the opposite order.
 *
 * <p>Threads: start and close it from one thread each.
 */
final class ManagerProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ManagerProcess.class);

  private final ManagerPlan plan;
  private final Consumer<String> say;
  private final RealTime time = new RealTime();
  private final KubernetesCluster cluster;
  private final Cluster fenced;
  private final Optional<Webhooks> webhooks;
  private final Optional<AggregatedApi> visibility;
  private final Optional<LeaderElection> election;
  private final List<OpsServer> ops = new ArrayList<>();
  private volatile boolean cached;
  private volatile boolean listening;
  private volatile boolean follows;
  private volatile Optional<LiveDriver> driver = Optional.empty();
  private volatile Optional<QueueInsight> insight = Optional.empty();

  /**
   * @param say prints a line for the user
   */
  ManagerProcess(ManagerPlan plan, Consumer<String> say) {
    this.plan = plan;
    this.say = say;
    this.cluster = new KubernetesCluster(plan.connection(), time, new SecureRandom());
    this.fenced = new FencedCluster(cluster, this::leads);
    this.webhooks =
        plan.webhooks().map(hooks -> new Webhooks(cluster.uncached(), settings(hooks), time));
    this.visibility =
        plan.visibility()
            .map(place -> new AggregatedApi(cluster.uncached(), settings(place), time));
    this.election = plan.election().map(this::election);
    plan.health()
        .map(at -> OpsServer.health(at, plan.endpoints(), this::missing))
        .ifPresent(ops::add);
    plan.metrics().map(this::metricsServer).ifPresent(ops::add);
  }

  private OpsServer metricsServer(HostAndPort at) {
    return plan.guardsMetrics()
        ? OpsServer.guardedMetrics(at, plan.tls(), cluster.uncached(), time, this::metrics, pages())
        : OpsServer.metrics(at, this::metrics, pages());
  }

  /** The usage of simulated nodes, if there are any. */
  private MetricPages pages() {
    return plan.groups().contains(Group.NODES)
        ? new SimulatedUsage(cluster, plan.kwok().settings())
        : MetricPages.NONE;
  }

  private Webhooks.Settings settings(ManagerPlan.Hooks hooks) {
    return new Webhooks.Settings(
        plan.queues() ? "sluice" : "sluice-nodes", // next to a manager of queues, or alone
        hooks.listen(),
        plan.tls(),
        hooks.address(),
        hooks.certificates(),
        plan.namespace(),
        ControllerSet.admissionHooks(plan.groups(), cluster, plan.configuration()),
        KueueConversion::convert,
        plan.queues() ? converted() : List.of());
  }

  /** The definitions whose objects have more than one version. */
  private static List<String> converted() {
    return KueueDefinitions.converted().stream()
        .map(plural -> plural + "." + Kinds.WORKLOAD.group())
        .toList();
  }

  private AggregatedApi.Settings settings(ManagerPlan.Visibility place) {
    return new AggregatedApi.Settings(
        place.listen(),
        plan.tls(),
        place.address(),
        VisibilityApi.GROUP,
        VisibilityApi.VERSIONS,
        this::currentApi);
  }

  private ComputedApi currentApi() {
    return insight
        .flatMap(current -> current.apis().stream().findFirst())
        .orElseThrow(() ->
            ApiFailure.because(
                ApiFailure.Reason.SERVICE_UNAVAILABLE, "the queues are not read yet"));
  }

  private LeaderElection election(ManagerPlan.Election by) {
    return new LeaderElection(
        cluster.uncached(), by.lease(), plan.identity(), by.terms(), time, new Leader());
  }

  private boolean isOutside() {
    return plan.connection().podNamespace().isEmpty();
  }

  private boolean leads() {
    return election.map(LeaderElection::leads).orElse(true);
  }

  private List<String> missing() {
    var missing = new ArrayList<String>();
    if (!cached) {
      missing.add("the caches are not filled yet");
    }
    if (!listening) {
      missing.add("the webhooks and the visibility API are not served yet");
    }
    if (webhooks.filter(served -> !isCalled(served)).isPresent()) {
      missing.add("the webhooks are not registered yet");
    }
    return missing;
  }

  /** By URL the API server calls the leader, so that a follower is ready without being called. */
  private boolean isCalled(Webhooks served) {
    return served.isRegistered() || (follows && !served.isShared());
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
   * @throws ApiException if the cluster rejects what it needs
   */
  void start() {
    ops.forEach(OpsServer::start);
    if (isOutside()) {
      Installation.complete(cluster, plan);
    }
    if (plan.cannotShowWhoWaits()) {
      LOG.warn(
          "the visibility API is not available: a Service cannot lead to an IPv6 address; give"
              + " --webhook-url=https://HOST with a name or an IPv4 address. Everything else works");
    }
    for (Controller controller : controllers(insight(cluster), cluster)) {
      controller.triggers().forEach(trigger -> cluster.list(trigger.kind()));
    }
    cached = true;
    if (election.isPresent()) {
      readAlong();
    }
    webhooks.ifPresent(Webhooks::serve);
    visibility.ifPresent(AggregatedApi::serve);
    listening = true;
    register(false);
    election.ifPresentOrElse(LeaderElection::start, new Leader()::lead);
  }

  /** Followers read the queues too, so that they can serve the visibility API. */
  private void readAlong() {
    QueueInsight following = insight(cluster);
    run(cluster, following, plan.queues() ? following.followers() : List.of());
  }

  /** Queries are answered from the former cache until the next one is filled. */
  private void run(Cluster world, QueueInsight next, List<Controller> controllers) {
    stopControllers();
    var started = new LiveDriver(world, controllers);
    driver = Optional.of(started);
    started.start();
    insight = Optional.of(next);
  }

  private void stopControllers() {
    driver.ifPresent(LiveDriver::close);
    driver = Optional.empty();
  }

  /**
   * Behind a Service every replica gets requests, from its start on. Else there is one address, and
   * it must be the leader's.
   */
  private void register(boolean leading) {
    webhooks.filter(one -> one.isShared() != leading).ifPresent(Webhooks::register);
    visibility.filter(one -> one.isShared() != leading).ifPresent(AggregatedApi::register);
  }

  private QueueInsight insight(Cluster world) {
    return new QueueInsight(world, plan.loaded(), this::role, VersionCommand.version());
  }

  private String role() {
    if (election.isEmpty()) {
      return "standalone";
    }
    return leads() ? "leader" : "follower";
  }

  private List<Controller> controllers(QueueInsight of, Cluster world) {
    Set<Group> others = ControllerSet.withoutSimulatedNodes(plan.groups());
    var controllers = new ArrayList<>(of.controllers(others, plan.scheduling(), DecisionLog.NONE));
    controllers.addAll(ControllerSet.simulatedNodes(plan.groups(), world, plan.kwok().settings()));
    return controllers;
  }

  /** The work that only a leader does. */
  private final class Leader implements LeaderElection.Candidate {
    @Override
    public void lead() {
      follows = false;
      register(true);
      plan.kwok().objects().forEach(each -> fenced.apply(each.kind(), "", each.object()));
      // Counts start from zero with every term: before it, another manager decided.
      QueueInsight term = insight(fenced);
      run(fenced, term, controllers(term, fenced));
      say.accept("Sluice manages %s of %s.".formatted(plan.matter(), plan.connection().server()));
    }

    @Override
    public void follow(String leader) {
      follows = true;
      say.accept("Sluice stands by: %s leads in %s.".formatted(leader, plan.connection().server()));
    }

    @Override
    public void stepDown() {
      stopControllers();
      if (cached) {
        readAlong();
      }
    }
  }

  @Override
  public void close() {
    cached = false;
    quietly("unregister the webhooks", () -> webhooks.ifPresent(Webhooks::unregister));
    quietly("unregister the visibility API", () -> visibility.ifPresent(AggregatedApi::unregister));
    quietly("give up the lease", () -> election.ifPresent(LeaderElection::close));
    quietly("stop the controllers", this::stopControllers);
    quietly("stop the webhooks", () -> webhooks.ifPresent(Webhooks::close));
    quietly("stop the visibility API", () -> visibility.ifPresent(AggregatedApi::close));
    ops.forEach(server -> quietly("stop the health or metrics server", server::close));
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
