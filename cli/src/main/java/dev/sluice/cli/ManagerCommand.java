package dev.sluice.cli;

import dev.sluice.controllers.ControllerSet;
import dev.sluice.controllers.ControllerSet.Group;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.kubernetes.Connection;
import dev.sluice.kubernetes.CrdInstaller;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.model.ApiException;
import dev.sluice.model.kueue.KueueDefinitions;
import dev.sluice.runtime.LiveDriver;
import dev.sluice.runtime.RealTime;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(name = "manager", description = "Manage the queues of a real Kubernetes cluster.")
final class ManagerCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Path POD_NAMESPACE =
      Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace");

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

  @Mixin private final ConfigurationOptions configuration = new ConfigurationOptions();
  @Mixin private final InvariantOptions invariants = new InvariantOptions();

  @Override
  public Integer call() throws InterruptedException {
    Configuration configured = configuration.load(podNamespace()).configuration();
    Connection connection = connection();
    var time = new RealTime();
    var cluster = new KubernetesCluster(connection, time, new SecureRandom());
    var driver =
        new LiveDriver(
            cluster,
            ControllerSet.of(invariants.with(groups), cluster, DecisionLog.NONE, configured));
    try {
      new CrdInstaller(cluster, PATIENCE).install(KueueDefinitions.all());
      driver.start();
    } catch (ApiException refused) {
      throw UserError.failure(connection.server() + ": " + refused.getMessage());
    }
    Ending.await(
        () -> {
          driver.close();
          cluster.close();
          time.close();
        },
        () -> sayWhatIsManaged(connection));
    return 0;
  }

  private void sayWhatIsManaged(Connection connection) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf("Sluice manages the queues of %s.%n", connection.server());
    out.flush();
  }

  /** Where this process lives, as Kubernetes tells every pod; else where Kueue usually lives. */
  private static String podNamespace() {
    try {
      return Files.readString(POD_NAMESPACE).strip();
    } catch (IOException notInAPod) {
      return Configuration.DEFAULT.namespace();
    }
  }

  private Connection connection() {
    try {
      return kubeconfig.map(Connection::kubeconfig).orElseGet(Connection::inCluster);
    } catch (IllegalArgumentException wrong) {
      throw UserError.usage(String.valueOf(wrong.getMessage()));
    }
  }
}
