package dev.sluice.apiserver.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.junit.jupiter.api.Test;

class CredentialTest {
  private static final Instant NOW = Instant.parse("2026-05-01T00:00:00Z");
  private static final CertificateAuthority AUTHORITY = CertificateAuthority.create(NOW);

  /** A client's key is RSA, a server's on a curve. */
  private static final List<Credential> ISSUED =
      List.of(
          AUTHORITY.issueClient("ann", "users", NOW),
          AUTHORITY.issueServer(List.of("host"), List.of(), NOW));

  @Test
  void readsWhatItWrites() {
    for (Credential issued : ISSUED) {
      assertThat(Credential.parse(issued.certificatePem(), issued.keyPem())).isEqualTo(issued);
    }
  }

  @Test
  void readsKeysAsOtherToolsWriteThem() throws IOException {
    for (Credential issued : ISSUED) {
      var text = new StringWriter();
      try (var writer = new JcaPEMWriter(text)) {
        writer.writeObject(issued.key());
      }

      assertThat(text.toString()).containsPattern("BEGIN (RSA|EC) PRIVATE KEY");
      assertThat(Credential.parse(issued.certificatePem(), text.toString())).isEqualTo(issued);
    }
  }

  @Test
  void refusesEverythingElse() {
    Credential issued = ISSUED.getFirst();

    assertThatThrownBy(() -> Credential.parse(issued.certificatePem(), issued.certificatePem()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Credential.parse(issued.certificatePem(), "nonsense"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Credential.parse(issued.keyPem(), issued.keyPem()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
