package dev.sluice.cli;

import dev.sluice.apiserver.cluster.EmbeddedCluster;
import dev.sluice.apiserver.http.ApiServer;
import dev.sluice.apiserver.http.PortInUseException;
import dev.sluice.apiserver.registry.StoreRegistry;
import dev.sluice.apiserver.registry.kind.VersionConverter;
import dev.sluice.apiserver.security.Certificates;
import dev.sluice.apiserver.security.Kubeconfig;
import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.assembly.ControllerSet.Group;
import dev.sluice.controllers.assembly.QueueInsight;
import dev.sluice.controllers.configuration.ConfigurationFile.Loaded;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfiguration;
import dev.sluice.controllers.nodes.KwokConfiguration;
import dev.sluice.controllers.nodes.SimulationSettings;
import dev.sluice.controllers.nodes.local.LocalMachine;
import dev.sluice.controllers.nodes.local.LocalNode;
import dev.sluice.controllers.nodes.local.LocalPods;
import dev.sluice.controllers.nodes.usage.MeasuredUsage;
import dev.sluice.controllers.nodes.usage.ResourceMetricsApi;
import dev.sluice.controllers.nodes.usage.SimulatedUsage;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.machine.Machine;
import dev.sluice.machine.ThisMachine;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.jobset.JobSetDefinitions;
import dev.sluice.model.kueue.KueueConversion;
import dev.sluice.model.kueue.KueueDefinitions;
import dev.sluice.model.kwok.KwokDefinitions;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.ContainerLogs;
import dev.sluice.runtime.ContainerSessions;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.LiveDriver;
import dev.sluice.runtime.RealTime;
import dev.sluice.store.Store;
import dev.sluice.store.Stores;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A whole control plane in this process: store, API server and controllers, with everything it
 * keeps in one directory.
 *
 * <p>Threads: start and close it from one thread.
 */
public final class ControlPlane implements AutoCloseable {
  private static final VersionConverter KUEUE_VERSIONS =
      VersionConverter.ofGroup(Kinds.WORKLOAD.group(), KueueConversion::convert);

  private static final String LOCAL_NODE = "local";

  private final RealTime time = new RealTime();
  private final Path kubeconfig;
  private final Store store;
  private final Cluster cluster;
  private final ApiServer server;
  private final LiveDriver driver;
  private final Optional<Machine> machine;

  /**
   * Starts it; returns when it is ready.
   *
   * @param port where the API is served on this machine; 0 for any free port
   * @param groups the controllers that run in it
   * @param localNode whether pods may run as processes of this machine
   * @param simulation how nodes are simulated
   * @param scheduling how pods are scheduled
   * @throws dev.sluice.store.UnusableDirectoryException if the directory is damaged, foreign or in
   *     use
   * @throws PortInUseException if the port is taken
   */
  public ControlPlane(
      Path directory,
      int port,
      Loaded loaded,
      Set<Group> groups,
      boolean localNode,
      SimulationSettings simulation,
      SchedulerConfiguration scheduling)
      throws IOException {
    this.kubeconfig = directory.resolve("kubeconfig");
    this.store = Stores.open(directory);
    try {
      var random = new SecureRandom();
      var registry = new StoreRegistry(store, time, random, List.of(), List.of(KUEUE_VERSIONS));
      registry.bootstrap();
      this.cluster = EmbeddedCluster.live(registry, store, time, random);
      registry.addHooks(ControllerSet.admissionHooks(groups, cluster, loaded.configuration()));
      KueueDefinitions.all().forEach(this::installDefinition);
      KwokDefinitions.all().forEach(this::installDefinition);
      JobSetDefinitions.all().forEach(this::installDefinition);
      var certificates = Certificates.open(directory.resolve("pki"), time);
      var insight = new QueueInsight(cluster, loaded, () -> "standalone", VersionCommand.version());
      Path folder = directory.resolve("local-node");
      this.machine = localNode ? Optional.of(new Machine(folder, LOCAL_NODE)) : Optional.empty();
      ApiServer.Extras extras = extras(insight, simulation);
      this.server = new ApiServer(registry, store, time, certificates, port, extras);
      Set<Group> others = ControllerSet.withoutSimulatedNodes(groups);
      var controllers = new ArrayList<>(insight.controllers(others, scheduling, DecisionLog.NONE));
      controllers.addAll(ControllerSet.simulatedNodes(groups, cluster, simulation));
      controllers.addAll(localNode(folder));
      this.driver = new LiveDriver(cluster, controllers);
      server.start();
      driver.start();
      Kubeconfig.write(kubeconfig, certificates, server.port());
    } catch (IOException | RuntimeException failed) {
      store.close();
      time.close();
      throw failed;
    }
  }

  /** What the API server serves in addition to the stored objects. */
  private ApiServer.Extras extras(QueueInsight insight, SimulationSettings simulation) {
    var usage = new SimulatedUsage(cluster, simulation);
    MeasuredUsage measured = machine.map(Machine::usage).orElse(MeasuredUsage.NONE);
    var apis = new ArrayList<>(insight.apis());
    apis.add(new ResourceMetricsApi(usage, measured, time::now));
    ContainerLogs logs = machine.<ContainerLogs>map(found -> found).orElse(ContainerLogs.NONE);
    ContainerSessions sessions =
        machine.<ContainerSessions>map(found -> found).orElse(ContainerSessions.NONE);
    return new ApiServer.Extras(apis, insight::metrics, logs, sessions, usage);
  }

  private List<Controller> localNode(Path folder) throws IOException {
    if (machine.isEmpty()) {
      LocalNode.remove(cluster, LOCAL_NODE);
      return List.of();
    }
    LocalMachine facts = ThisMachine.look(LOCAL_NODE, folder, VersionCommand.version());
    return List.of(new LocalNode(cluster, facts), new LocalPods(cluster, facts, machine.get()));
  }

  /** A newer Sluice may bring newer definitions than the ones in an old directory. */
  private void installDefinition(ApiObject definition) {
    ResourceKind kind = Kinds.CUSTOM_RESOURCE_DEFINITION;
    cluster
        .get(kind.key(definition.name()))
        .ifPresentOrElse(
            installed -> cluster.update(kind, installed.withSpec(definition.spec())),
            () -> cluster.create(kind, definition));
  }

  /** Creates simulated nodes; those that exist already stay as they are. */
  public void addNodes(List<ApiObject> nodes) {
    for (ApiObject node : nodes) {
      try {
        cluster.create(Kinds.NODE, node);
      } catch (ApiException refused) {
        if (!refused.is(ApiFailure.Reason.ALREADY_EXISTS)) {
          throw refused;
        }
      }
    }
  }

  /**
   * Applies the objects of a file.
   *
   * @throws ApiException if one is rejected
   */
  public void apply(List<KwokConfiguration.Document> documents) {
    documents.forEach(each -> cluster.apply(each.kind(), "", each.object()));
  }

  public Cluster cluster() {
    return cluster;
  }

  public int port() {
    return server.port();
  }

  /** The file that gives kubectl and other clients full access. */
  public Path kubeconfig() {
    return kubeconfig;
  }

  @Override
  public void close() {
    driver.close();
    server.close();
    machine.ifPresent(Machine::close);
    store.close();
    time.close();
  }
}
