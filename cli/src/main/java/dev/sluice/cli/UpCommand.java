package dev.sluice.cli;

import dev.sluice.apiserver.http.PortInUseException;
import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.assembly.ControllerSet.Group;
import dev.sluice.controllers.configuration.ConfigurationFile.Loaded;
import dev.sluice.controllers.configuration.Purpose;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfiguration;
import dev.sluice.controllers.nodes.KwokConfiguration;
import dev.sluice.controllers.nodes.SimulatedNodeSpec;
import dev.sluice.controllers.nodes.SimulationSettings;
import dev.sluice.dashboard.Dashboard;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.node.Taint;
import dev.sluice.store.UnusableDirectoryException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice up}: a control plane on this machine that runs until it is stopped. */
@Command(
    name = "up",
    description = "Run a whole control plane on this machine: API server, store and controllers.")
final class UpCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      defaultValue = ".sluice",
      description =
          "Where everything is kept, and where DIR/kubeconfig is written. Default: .sluice")
  private Path dataDirectory;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "6443",
      description = "The port of the API on this machine; 0 takes any free one. Default: 6443")
  private int port;

  @Option(
      names = "--simulated-nodes",
      paramLabel = "SPEC",
      arity = "0..1",
      fallbackValue = "2:cpu=8,memory=32Gi",
      description =
          "Add nodes that pretend to run pods, as COUNT[:RESOURCE=QUANTITY,...]; may be given more"
              + " than once. Without a SPEC: 2:cpu=8,memory=32Gi. They have KWOK's taint, which keeps"
              + " other pods for the local node; with --no-local-node they have none")
  private List<String> simulatedNodes = new ArrayList<>();

  @Option(
      names = "--no-local-node",
      description =
          "Do not add the node named local, which really runs the commands of pods, as processes of"
              + " this machine and with the rights of the user who started sluice.")
  private boolean withoutLocalNode;

  @Option(
      names = "--controllers",
      paramLabel = "NAME,...",
      split = ",",
      description =
          "What to run, of: ${COMPLETION-CANDIDATES}. Leave out what another program does, as"
              + " kube-controller-manager does jobs, node-lifecycle and housekeeping. Default: all but"
              + " node-leases and invariants",
      converter = GroupNames.class,
      completionCandidates = GroupNames.class)
  private Set<Group> chosen = EnumSet.noneOf(Group.class);

  @Option(
      names = "--dashboard-port",
      paramLabel = "N",
      description = "Also serve a page about the queues on this port of this machine; 0 for any.")
  private Optional<Integer> dashboardPort = Optional.empty();

  @Mixin private final ConfigurationOptions configuration = new ConfigurationOptions();
  @Mixin private final KwokConfigurationOption kwok = new KwokConfigurationOption();

  @Mixin private final SchedulerConfigurationOption scheduling = new SchedulerConfigurationOption();

  @Mixin private final InvariantOptions invariants = new InvariantOptions();
  @Mixin private final LogOptions log = new LogOptions();

  @Override
  public Integer call() throws InterruptedException {
    log.apply();
    Flag.requirePort("--port", port);
    dashboardPort.ifPresent(wanted -> Flag.requirePort("--dashboard-port", wanted));
    Set<Group> groups = groups();
    List<ApiObject> nodes = nodes();
    KwokConfiguration simulation = kwok.load();
    ControlPlane controlPlane = start(groups, simulation.settings());
    fill(controlPlane, "--kwok-config", () -> controlPlane.apply(simulation.objects()));
    fill(controlPlane, "--simulated-nodes", () -> controlPlane.addNodes(nodes));
    Optional<Dashboard> dashboard = dashboard(controlPlane);
    ShutdownSignal.await(
        () -> {
          dashboard.ifPresent(Dashboard::close);
          controlPlane.close();
        },
        () -> sayWhatIsNext(controlPlane, dashboard));
    return 0;
  }

  private void sayWhatIsNext(ControlPlane controlPlane, Optional<Dashboard> dashboard) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "Sluice is ready on port %d%s. Next: export KUBECONFIG=%s; kubectl get nodes%n",
        controlPlane.port(),
        dashboard.map(page -> ", its page is " + page.url()).orElse(""),
        shellWord(controlPlane.kubeconfig().toAbsolutePath().normalize()));
    out.flush();
  }

  /** In quotes where a shell would see more than one word. */
  static String shellWord(Path path) {
    String word = path.toString();
    return word.matches("[\\w./@:+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  private List<ApiObject> nodes() {
    // The taint keeps pods for a node that really runs them, if there is one.
    List<Taint> taints = withoutLocalNode ? List.of() : List.of(SimulatedNodeSpec.TAINT);
    var nodes = new ArrayList<ApiObject>();
    for (int batch = 0; batch < simulatedNodes.size(); batch++) {
      String wanted = simulatedNodes.get(batch);
      var size = Flag.read("--simulated-nodes", () -> SimulatedNodeSpec.parse(wanted));
      nodes.addAll(size.nodes(String.valueOf(batch), taints));
    }
    return nodes;
  }

  /** Creates the objects that a flag asks for; if the API rejects one, the flag is wrong. */
  private static void fill(ControlPlane controlPlane, String flag, Runnable write) {
    try {
      write.run();
    } catch (ApiException refused) {
      controlPlane.close();
      throw UserError.usage(flag + ": " + refused.getMessage());
    }
  }

  /**
   * The controllers to run. Nodes that are not selected by KWOK's annotation stay alive by their
   * lease.
   */
  Set<Group> groups() {
    Set<Group> asked = chosen.isEmpty() ? ControllerSet.EMBEDDED : chosen;
    var idle = new IdleFlags(asked);
    idle.refuse("--simulated-nodes", !simulatedNodes.isEmpty(), Set.of(Group.NODES));
    idle.refuse("--kwok-config", kwok.isGiven(), Set.of(Group.NODES));
    idle.refuse("--scheduler-config", scheduling.isGiven(), Set.of(Group.SCHEDULING));
    Set<Group> usual = invariants.with(asked);
    if (!kwok.isGiven()) {
      return usual;
    }
    var groups = EnumSet.copyOf(usual);
    groups.add(Group.NODE_LEASES);
    return groups;
  }

  private ControlPlane start(Set<Group> groups, SimulationSettings simulation) {
    if (!withoutLocalNode && simulation.manages(ApiObject.of(Kinds.NODE, "", "local"))) {
      throw UserError.usage(
          "--kwok-config chooses the node local too, which really runs pods: add --no-local-node,"
              + " or choose nodes by KWOK's annotation");
    }
    Loaded configured = configuration.load(Purpose.CONTROL_PLANE);
    SchedulerConfiguration profiles = scheduling.loadForAll();
    try {
      return new ControlPlane(
          dataDirectory, port, configured, groups, !withoutLocalNode, simulation, profiles);
    } catch (UnusableDirectoryException | PortInUseException unusable) {
      throw UserError.failure(String.valueOf(unusable.getMessage()));
    } catch (IOException unusable) {
      throw UserError.failure(
          "%s cannot be used: %s; see to its permissions, or name another --data-dir"
              .formatted(dataDirectory, unusable));
    }
  }

  private Optional<Dashboard> dashboard(ControlPlane controlPlane) {
    return dashboardPort.map(wanted -> {
      var page = new Dashboard(controlPlane.cluster(), wanted);
      try {
        page.start();
      } catch (IOException taken) {
        controlPlane.close();
        throw UserError.failure(
            "port %d is in use by another process; give another --dashboard-port, or 0 for any free one"
                .formatted(wanted));
      }
      return page;
    });
  }
}
