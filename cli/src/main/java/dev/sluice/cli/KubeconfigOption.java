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

/** Which cluster a command asks, found the way kubectl does and, without any word, as up does. */
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

  /** What a cluster refused, which is named if the refusal does not. */
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
