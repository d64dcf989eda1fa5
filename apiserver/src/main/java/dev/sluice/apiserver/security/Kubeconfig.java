package dev.sluice.apiserver.security;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

/**
 * The kubeconfig with which kubectl and other clients connect to the server as its administrator.
 */
public final class Kubeconfig {
  private static final String NAME = "sluice";

  private Kubeconfig() {}

  /** The administrator's configuration for the server at a port of this machine. */
  public static String text(Certificates certificates, int port) {
    Tree cluster =
        Tree.of(
            "server",
            "https://127.0.0.1:" + port,
            "certificate-authority-data",
            base64(certificates.authority().credential().certificatePem()));
    Tree user =
        Tree.of(
            "client-certificate-data",
            base64(certificates.admin().certificatePem()),
            "client-key-data",
            base64(certificates.admin().keyPem()));
    Tree context = Tree.of("cluster", NAME, "user", NAME, "namespace", "default");
    return Yaml.write(
        Tree.of(
            "apiVersion",
            "v1",
            "kind",
            "Config",
            "current-context",
            NAME,
            "clusters",
            List.of(Tree.of("name", NAME, "cluster", cluster)),
            "users",
            List.of(Tree.of("name", NAME, "user", user)),
            "contexts",
            List.of(Tree.of("name", NAME, "context", context))));
  }

  /** Writes it to a file that only the user of this process can read. */
  public static void write(Path file, Certificates certificates, int port) throws IOException {
    PrivateFiles.write(file, text(certificates, port));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
