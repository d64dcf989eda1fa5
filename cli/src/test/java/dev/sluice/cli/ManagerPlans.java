package dev.sluice.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** Plans of a manager outside its cluster, made from flags and a file. */
final class ManagerPlans {
  static final String KUBECONFIG =
      """
      apiVersion: v1
      kind: Config
      current-context: c
      clusters: [{name: c, cluster: {server: "https://127.0.0.1:6443"}}]
      users: [{name: u, user: {token: t}}]
      contexts: [{name: c, context: {cluster: c, user: u}}]
      """;

  private final Path folder;
  private final StringWriter err = new StringWriter();

  ManagerPlans(Path folder) {
    this.folder = folder;
  }

  /** What was said on the way. */
  String errors() {
    return err.toString();
  }

  /** With a configuration file that has these fields. */
  ManagerPlan plan(String yaml, String... flags) throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("config.yaml"),
            "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n" + yaml + "\n");
    var all = new ArrayList<>(List.of("--config", config.toString()));
    all.addAll(List.of(flags));
    return planOf(all);
  }

  ManagerPlan planOf(List<String> flags) throws IOException {
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), KUBECONFIG);
    var command = new ManagerCommand();
    var line = new CommandLine(command).setErr(new PrintWriter(err));
    var all = new ArrayList<>(List.of("--kubeconfig", kubeconfig.toString()));
    all.addAll(flags);
    line.parseArgs(all.toArray(String[]::new));
    return command.plan();
  }
}
