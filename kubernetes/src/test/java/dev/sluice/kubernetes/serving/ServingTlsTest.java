package dev.sluice.kubernetes.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.kubernetes.serving.ServingCertificates.Names;
import dev.sluice.kubernetes.serving.WebServer.Reply;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Who may call a server, by what they speak. */
class ServingTlsTest {
  private static final String ONE = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";
  private static final String OTHER = "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384";
  private static final TlsPolicy NEWEST = new TlsPolicy(true, List.of());
  private static final TlsPolicy ONLY_ONE = new TlsPolicy(false, List.of(ONE));

  /** What a caller offers, and whether anything comes of it. */
  record Case(String name, TlsPolicy policy, String protocol, String suite, boolean want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("1.2", TlsPolicy.NORMAL, "TLSv1.2", ONE, true),
          new Case("1.3", TlsPolicy.NORMAL, "TLSv1.3", "TLS_AES_128_GCM_SHA256", true),
          new Case("1.2 is too old", NEWEST, "TLSv1.2", ONE, false),
          new Case("1.3 is new enough", NEWEST, "TLSv1.3", "TLS_AES_256_GCM_SHA384", true),
          new Case("a suite that may be used", ONLY_ONE, "TLSv1.2", ONE, true),
          new Case("one that may not", ONLY_ONE, "TLSv1.2", OTHER, false),
          new Case("1.3 has its own", ONLY_ONE, "TLSv1.3", "TLS_AES_256_GCM_SHA384", true));

  @ParameterizedTest
  @FieldSource("CASES")
  void speaksWithThoseWhoSpeakWellEnough(Case c) throws GeneralSecurityException {
    ServingCertificate certificate =
        ServingCertificates.create(new Names(List.of("localhost"), List.of()), Instant.now())
            .shown();
    ServingTls tls = ServingTls.forAnybody(c.policy());
    tls.show(certificate);
    try (var server =
        new WebServer(
            "test",
            new HostAndPort("127.0.0.1", 0),
            Optional.of(tls),
            asked -> Reply.text(200, "ok"))) {
      server.start();

      var spoken = Handshake.offering(server.port(), certificate.bundle(), c.protocol(), c.suite());

      assertThat(spoken.isPresent()).isEqualTo(c.want());
      spoken.ifPresent(session -> assertThat(session.getCipherSuite()).isEqualTo(c.suite()));
    }
  }

  @Test
  void suitesAreNamedAsInJavaOrAsInGo() {
    String longName = "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256";

    assertThat(new TlsPolicy(false, List.of("TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305")))
        .isEqualTo(new TlsPolicy(false, List.of(longName)));
    assertThatThrownBy(() -> new TlsPolicy(false, List.of("TLS_MINE")))
        .hasMessageContaining("\"TLS_MINE\"")
        .hasMessageContaining(longName);
  }
}
