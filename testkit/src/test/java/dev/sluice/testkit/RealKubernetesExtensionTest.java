package dev.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RealKubernetesExtensionTest {

  @Test
  void testsRunWhereTheBinariesAre() {
    var extension = new RealKubernetesExtension(Optional.of(Path.of("/bin")), Map.of());

    assertThat(extension.evaluate().isDisabled()).isFalse();
  }

  @Test
  void testsAreSkippedWithOneLineWhereTheyAreNot() {
    var extension = new RealKubernetesExtension(Optional.empty(), Map.of());

    assertThat(extension.evaluate().isDisabled()).isTrue();
    assertThat(extension.evaluate().getReason().orElseThrow())
        .contains("dev/kubernetes", "KUBEBUILDER_ASSETS")
        .hasLineCount(1);
  }

  @Test
  void testsFailWhereTheyAreRequired() {
    var extension =
        new RealKubernetesExtension(
            Optional.empty(), Map.of(RealKubernetesExtension.REQUIRED, "true"));

    assertThatThrownBy(extension::evaluate)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("SLUICE_REQUIRE_KUBERNETES=true");
  }
}
