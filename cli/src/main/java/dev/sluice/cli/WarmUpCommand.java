package dev.sluice.cli;

import dev.sluice.controllers.ControllerSet;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.kubernetes.Connection;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.batch.Job;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.RealTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Does a little of all that the other commands do, while the JVM notes which code that takes. The
 * script that starts Sluice keeps those notes, so that later starts load and compile it sooner.
 */
@Command(name = "warm-up", hidden = true, description = "Used by the script that starts Sluice.")
final class WarmUpCommand implements Callable<Integer> {
  private static final int JOBS = 300;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final List<ResourceKind> KINDS =
      List.of(Kinds.NODE, Kinds.RESOURCE_FLAVOR, Kinds.CLUSTER_QUEUE, Kinds.LOCAL_QUEUE);

  @Parameters(paramLabel = "FILE", description = "A scenario with a Job.")
  private Path scenario;

  @Override
  public Integer call() throws IOException, InterruptedException {
    int code = Main.run("simulate", scenario.toString());
    Path directory = Files.createTempDirectory("sluice-warm-up-");
    try {
      serve(directory);
    } finally {
      delete(directory);
    }
    return code;
  }

  /** Runs Jobs in a control plane of its own, and speaks with it as others do. */
  private void serve(Path directory) throws IOException, InterruptedException {
    var loaded = ConfigurationFile.none(new TreeMap<>(), Configuration.DEFAULT.namespace());
    try (var plane = new ControlPlane(directory, 0, loaded, ControllerSet.EMBEDDED, false);
        var time = new RealTime();
        var client =
            new KubernetesCluster(
                Connection.kubeconfig(plane.kubeconfig()), time, new SecureRandom())) {
      client.list(Kinds.JOB); // from here on it is told of every change
      for (Value document : Yaml.parseAll(Files.readString(scenario))) {
        apply(client, new ApiObject(document.asTree()));
      }
      Instant late = time.now().plus(PATIENCE);
      while (!allFinished(client) && time.now().isBefore(late)) {
        Thread.sleep(Duration.ofMillis(50));
      }
    }
  }

  private static void apply(Cluster client, ApiObject object) {
    KINDS.stream().filter(object::isA).forEach(kind -> client.create(kind, object));
    if (object.isA(Kinds.JOB)) {
      for (int number = 0; number < JOBS / 3; number++) {
        client.create(Kinds.JOB, shortJob(object, object.name() + "-" + number));
      }
    }
  }

  private static ApiObject shortJob(ApiObject job, String name) {
    Tree named = job.tree().with(List.of("metadata", "name"), name);
    return new ApiObject(
        named.with(
            List.of("spec", "template", "metadata", "annotations"),
            Tree.of("sluice.dev/duration", "0s")));
  }

  private static boolean allFinished(Cluster client) {
    return client.list(Kinds.JOB).stream().map(Job::new).allMatch(Job::isFinished);
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
