package dev.sluice.cli;

import dev.sluice.kubernetes.Connection;
import dev.sluice.model.ApiException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The cluster that a command asks, found as kubectl does, else the one of {@code sluice up}. */
final class KubeconfigOption {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "How to reach the cluster. Default: $KUBECONFIG, else .sluice/kubeconfig of 'sluice up',"
              + " else ~/.kube/config")
  private Optional<Path> file = Optional.empty();

  Connection connection() {
    Path found =
        file.or(() -> usual(System.getenv(), Path.of("")))
            .orElseThrow(() ->
                UserError.usage(
                    "no cluster is known here: run './sluice up' in this directory, or give"
                        + " --kubeconfig"));
    try {
      return Connection.kubeconfig(found);
    } catch (IllegalArgumentException wrong) {
      throw UserError.usage(String.valueOf(wrong.getMessage()));
    }
  }

  /** The error for a request that a cluster rejected; it names the cluster once. */
  static UserError refusal(Connection connection, ApiException refused) {
    String server = connection.server().replaceFirst("/$", "");
    String message = String.valueOf(refused.getMessage());
    return UserError.failure(message.contains(server) ? message : server + ": " + message);
  }

  static Optional<Path> usual(Map<String, String> environment, Path directory) {
    String named = environment.getOrDefault("KUBECONFIG", "");
    if (!named.isEmpty()) {
      return Stream.of(named.split(File.pathSeparator))
          .filter(one -> !one.isEmpty())
          .findFirst()
          .map(Path::of);
    }
    return Stream.of(
            directory.resolve(".sluice").resolve("kubeconfig"),
            Path.of(environment.getOrDefault("HOME", "")).resolve(".kube").resolve("config"))
        .filter(Files::isReadable)
        .findFirst();
  }
}
