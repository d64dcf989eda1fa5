package dev.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RealKubernetesExtensionTest {
  private final List<String> told = new ArrayList<>();

  @Test
  void testsRunWhereTheBinariesAre() {
    var extension = extension(Optional.of(Path.of("/bin")), Map.of());

    assertThat(extension.evaluate().isDisabled()).isFalse();
  }

  @Test
  void testsAreSkippedWithOneLineWhereTheyAreNot() {
    var extension = extension(Optional.empty(), Map.of());

    assertThat(extension.evaluate().isDisabled()).isTrue();
    assertThat(extension.evaluate().getReason().orElseThrow())
        .contains("dev/kubernetes", "KUBEBUILDER_ASSETS")
        .hasLineCount(1);
    assertThat(told).hasSize(1).first().asString().startsWith("SKIPPED what a real Kubernetes");
  }

  @Test
  void testsFailWhereTheyAreRequired() {
    var extension = extension(Optional.empty(), Map.of(Skips.REQUIRED, "true"));

    assertThatThrownBy(extension::evaluate)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("SLUICE_REQUIRE_KUBERNETES=true");
  }

  private RealKubernetesExtension extension(
      Optional<Path> binaries, Map<String, String> environment) {
    return new RealKubernetesExtension(binaries, new Skips(environment, told::add));
  }
}
