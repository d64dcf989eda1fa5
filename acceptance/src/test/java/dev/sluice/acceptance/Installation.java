package dev.sluice.acceptance;

import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.kubernetes.Connection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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

  /** A manager that believes to be a pod of the cluster, with what Kubernetes gives to pods. */
  SluiceProcess pod(String... more) {
    URI server = URI.create(kubernetes.server());
    var arguments = new ArrayList<>(List.of("manager"));
    arguments.addAll(List.of(more));
    return SluiceProcess.start(
        Map.of(
            "KUBERNETES_SERVICE_HOST",
            server.getHost(),
            "KUBERNETES_SERVICE_PORT",
            Integer.toString(server.getPort())),
        List.of("-D" + Connection.POD_SECRETS + "=" + podSecrets()),
        arguments.toArray(String[]::new));
  }

  private Path podSecrets() {
    try {
      Path secrets = Files.createDirectories(folder.resolve("secrets"));
      Files.writeString(secrets.resolve("namespace"), "kueue-system");
      Files.writeString(secrets.resolve("token"), token());
      Files.writeString(secrets.resolve("ca.crt"), Files.readString(kubernetes.certificate()));
      return secrets;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private String token() {
    Kubectl kubectl = kubernetes.kubectl();
    return kubectl.run("create", "token", "sluice-manager", "-n", "kueue-system").orFail().strip();
  }

  /** How the account of the installation reaches the server. */
  private Path accountKubeconfig() {
    try {
      String administrator = Files.readString(kubernetes.kubeconfig());
      return Files.writeString(
          folder.resolve("kubeconfig"),
          administrator.replaceAll("token: .*", "token: \"" + token() + "\""));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
