package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The places where a kubeconfig is looked for without a flag. */
final class KubeconfigOptionTest {
  @TempDir private Path directory;

  private Path file(String path) throws IOException {
    Path file = directory.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "");
  }

  @Test
  void theEnvironmentComesFirstThenThisDirectoryThenTheHome() throws IOException {
    var home = Map.of("HOME", directory.resolve("home").toString());
    assertThat(KubeconfigOption.usual(home, directory)).isEmpty();

    Path atHome = file("home/.kube/config");
    assertThat(KubeconfigOption.usual(home, directory)).hasValue(atHome);

    Path here = file(".sluice/kubeconfig");
    assertThat(KubeconfigOption.usual(home, directory)).hasValue(here);

    var named = Map.of("KUBECONFIG", "/first" + File.pathSeparator + "/second");
    assertThat(KubeconfigOption.usual(named, directory)).hasValue(Path.of("/first"));
  }
}
