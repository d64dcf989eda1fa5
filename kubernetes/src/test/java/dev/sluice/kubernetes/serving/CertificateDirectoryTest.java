package dev.sluice.kubernetes.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.apiserver.security.CertificateAuthority;
import dev.sluice.apiserver.security.Credential;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateDirectoryTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final CertificateAuthority AUTHORITY = CertificateAuthority.create(NOW);

  @TempDir Path folder;

  private void put(Credential credential, String chain) throws IOException {
    Files.writeString(folder.resolve("tls.crt"), credential.certificatePem() + chain);
    Files.writeString(folder.resolve("tls.key"), credential.keyPem());
  }

  private static Credential issued() {
    return AUTHORITY.issueServer(List.of("webhooks"), List.of(), NOW);
  }

  @Test
  void presentCertificateIsServed() throws IOException {
    Credential first = issued();
    String above = AUTHORITY.credential().certificatePem();
    put(first, above);
    var directory = new CertificateDirectory(folder);

    assertThat(directory.current().chain())
        .containsExactly(first.certificate(), AUTHORITY.credential().certificate());
    assertThat(directory.current().bundle()).isEmpty();

    Files.writeString(folder.resolve("ca.crt"), above);
    assertThat(directory.current().bundle()).isEqualTo(above);
  }

  @Test
  void renewedCertificateIsServedNext() throws IOException {
    put(issued(), "");
    var directory = new CertificateDirectory(folder);
    ServingCertificate before = directory.current();

    assertThat(directory.current()).isEqualTo(before);
    put(issued(), "");
    assertThat(directory.current()).isNotEqualTo(before);
  }

  @Test
  void missingOrDamagedFileIsNamed() throws IOException {
    var directory = new CertificateDirectory(folder);
    assertThatThrownBy(directory::current)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(folder.resolve("tls.crt").toString())
        .hasMessageContaining("webhook.certDir");

    put(issued(), "");
    Files.writeString(folder.resolve("tls.key"), "nonsense");
    assertThatThrownBy(directory::current)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no usable tls.crt and tls.key");
  }
}
