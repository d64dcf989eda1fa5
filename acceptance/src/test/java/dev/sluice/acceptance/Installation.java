package dev.sluice.acceptance;

import dev.sluice.testkit.Kubectl;
import dev.sluice.testkit.RealKubernetes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What {@code kubectl apply -k deploy/} brings into a real cluster, and managers that use it. */
final class Installation {
  private final RealKubernetes kubernetes;
  private final Path folder;

  private Installation(RealKubernetes kubernetes, Path folder) {
    this.kubernetes = kubernetes;
    this.folder = folder;
  }

  /**
   * Installs Sluice.
   *
   * @param folder for files of managers
   */
  static Installation into(RealKubernetes kubernetes, Path folder) {
    String deploy = SluiceProcess.repository().resolve("deploy").toString();
    kubernetes.kubectl().run("apply", "--validate=strict", "-k", deploy).orFail();
    return new Installation(kubernetes, folder);
  }

  /** A manager that may do only what the installation lets it. */
  SluiceProcess manager(String... more) {
    var arguments =
        new ArrayList<>(List.of("manager", "--kubeconfig", accountKubeconfig().toString()));
    arguments.addAll(List.of(more));
    return SluiceProcess.start(arguments.toArray(String[]::new));
  }

  /** How the account of the installation reaches the server. */
  private Path accountKubeconfig() {
    Kubectl kubectl = kubernetes.kubectl();
    String token =
        kubectl.run("create", "token", "sluice-manager", "-n", "kueue-system").orFail().strip();
    try {
      String administrator = Files.readString(kubernetes.kubeconfig());
      return Files.writeString(
          folder.resolve("kubeconfig"),
          administrator.replaceAll("token: .*", "token: \"" + token + "\""));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
