package dev.sluice.cli;

import dev.sluice.kubernetes.Connection;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.kubernetes.UncachedObjects;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.RealTime;
import dev.sluice.simulator.snapshot.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice snapshot}: writes the state of a cluster to a file, for what-if. */
@Command(
    name = "snapshot",
    description =
        "Write the queues, jobs, nodes and pods of a cluster to a file for 'sluice what-if'. Secrets,"
            + " environment, commands and arguments are never read into it.")
final class SnapshotCommand implements Callable<Integer> {
  private static final int MAX_OBJECTS = 500_000;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      defaultValue = "cluster.yaml",
      description = "The file to write. Default: cluster.yaml")
  private Path output;

  @Mixin private final KubeconfigOption kubeconfig = new KubeconfigOption();
  @Mixin private final LogOptions log = new LogOptions();

  @Override
  public Integer call() {
    log.apply();
    Connection connection = kubeconfig.connection();
    try (var time = new RealTime();
        var cluster = new KubernetesCluster(connection, time, new SecureRandom())) {
      write(Snapshot.of(objects(cluster.uncached()), time.now()));
    } catch (ApiException refused) {
      throw KubeconfigOption.refusal(connection, refused);
    }
    return 0;
  }

  /** All objects of a snapshot. */
  static List<ApiObject> objects(UncachedObjects objects) {
    var all = new ArrayList<ApiObject>();
    for (ResourceKind kind : Snapshot.KINDS) {
      all.addAll(list(objects, kind));
      if (all.size() > MAX_OBJECTS) {
        throw UserError.failure(
            "the cluster has more than %d objects, which is the most that a snapshot may have"
                .formatted(MAX_OBJECTS));
      }
    }
    return all;
  }

  /** A kind that the cluster does not serve has no objects. */
  private static List<ApiObject> list(UncachedObjects objects, ResourceKind kind) {
    try {
      return objects.list(kind.namespaced() ? kind.key("", "") : kind.key(""));
    } catch (ApiException refused) {
      if (refused.is(Reason.NOT_FOUND)) {
        return List.of();
      }
      throw refused;
    }
  }

  private void write(Snapshot snapshot) {
    try {
      Files.writeString(output, snapshot.yaml());
    } catch (IOException unwritable) {
      throw UserError.failure(
          "%s cannot be written: %s; name another --output"
              .formatted(output, TextFile.why(unwritable)));
    }
    spec.commandLine()
        .getOut()
        .printf(
            "%s: %d objects%s. Try it: ./sluice what-if %s --change new-quota.yaml%n",
            output,
            snapshot.objects().size(),
            snapshot.left() == 0 ? "" : ", without " + snapshot.left() + " older jobs",
            output);
    spec.commandLine().getOut().flush();
  }
}
