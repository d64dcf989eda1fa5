package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectionTest {
  private static final String KUBECONFIG =
      """
      apiVersion: v1
      kind: Config
      current-context: one
      clusters:
      - name: first
        cluster: {server: "https://one.example:6443"}
      - name: second
        cluster: {server: "https://two.example:6443"}
      users:
      - name: me
        user: {token: secret}
      contexts:
      - name: one
        context: {cluster: first, user: me}
      - name: two
        context: {cluster: second, user: me}
      """;

  @TempDir private Path folder;

  private Path kubeconfig(String text) throws IOException {
    return Files.writeString(folder.resolve("config"), text);
  }

  @Test
  void takesTheCurrentContextOrTheNamedOne() throws IOException {
    Path file = kubeconfig(KUBECONFIG);

    assertThat(Connection.kubeconfig(file).server()).startsWith("https://one.example:6443");
    assertThat(Connection.kubeconfig(file, "two").server()).startsWith("https://two.example:6443");
  }

  @Test
  void refusesAContextThatIsNotThereInsteadOfTakingAnother() throws IOException {
    Path file = kubeconfig(KUBECONFIG);

    assertThatThrownBy(() -> Connection.kubeconfig(file, "three"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no context \"three\"")
        .hasMessageContaining("[one, two]");
  }

  @Test
  void refusesAFileWithoutACurrentContext() throws IOException {
    Path file = kubeconfig(KUBECONFIG.replace("current-context: one\n", ""));

    assertThatThrownBy(() -> Connection.kubeconfig(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no current context");
  }

  @Test
  void refusesAFileThatIsNotThere() {
    assertThatThrownBy(() -> Connection.kubeconfig(folder.resolve("missing")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("missing is not a readable file");
  }

  @Test
  void aPodSpeaksToItsOwnClusterWithTheTokenAsItIsNow() throws IOException {
    Files.writeString(folder.resolve("token"), "first\n");
    var connection =
        Connection.inCluster(
            Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "6443"),
            folder);

    assertThat(connection.server()).startsWith("https://[fd00::1]:6443");
    assertThat(connection.config().getOauthTokenProvider().getToken()).isEqualTo("first");
    Files.writeString(folder.resolve("token"), "second");
    assertThat(connection.config().getOauthTokenProvider().getToken()).isEqualTo("second");
  }

  @Test
  void outsideAPodThereIsNoClusterToSpeakTo() {
    assertThatThrownBy(() -> Connection.inCluster(Map.of(), folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("does not run in a pod")
        .hasMessageContaining("kubeconfig");
  }
}
