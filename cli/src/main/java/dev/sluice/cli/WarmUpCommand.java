package dev.sluice.cli;

import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfiguration;
import dev.sluice.controllers.nodes.SimulationSettings;
import dev.sluice.kubernetes.Connection;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.RealTime;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code sluice warm-up}: what the first seconds of the other commands do, for a JVM that records
 * it and later starts faster. First a control plane with all it needs, such as TLS and the store,
 * and a client; then a simulation.
 */
@Command(
    name = "warm-up",
    hidden = true,
    description = "Do once what the other commands begin with; the launcher records it.")
final class WarmUpCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--data-dir", required = true, description = "An empty directory.")
  private Path dataDirectory;

  @Parameters(paramLabel = "FILE", description = "The scenario of the simulation.")
  private Path scenario;

  @Override
  public Integer call() throws IOException {
    var loaded = ConfigurationFile.none(new TreeMap<>(), Configuration.DEFAULT.namespace());
    try (var plane =
        new ControlPlane(
            dataDirectory,
            0,
            loaded,
            ControllerSet.EMBEDDED,
            true,
            SimulationSettings.DEFAULT,
            SchedulerConfiguration.DEFAULT)) {
      beAClient(Connection.kubeconfig(plane.kubeconfig()));
    }
    return spec.commandLine().getParent().execute("simulate", scenario.toString());
  }

  private static void beAClient(Connection connection) {
    try (var time = new RealTime();
        var client = new KubernetesCluster(connection, time, new SecureRandom())) {
      for (var kind : List.of(Kinds.NODE, Kinds.POD, Kinds.JOB, Kinds.WORKLOAD)) {
        client.list(kind);
      }
      client.create(Kinds.JOB, job());
    }
  }

  /** It waits in no queue and its pod would do nothing, if it came to run. */
  private static ApiObject job() {
    Tree container = Tree.of("name", "main", "image", "none", "command", List.of("true"));
    Tree pod = Tree.of("restartPolicy", "Never", "containers", List.of(container));
    return ApiObject.of(Kinds.JOB, "default", "warm-up")
        .withSpec(Tree.of("template", Tree.of("spec", pod)));
  }
}
