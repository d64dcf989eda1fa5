package dev.sluice.kubernetes.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.kubernetes.serving.ServingCertificates.Names;
import dev.sluice.kubernetes.serving.WebServer.Reply;
import dev.sluice.runtime.VirtualTime;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server whose certificate changes while the API server calls it. */
class CalledServerTest {
  private static final Names NAMES = new Names(List.of("localhost"), List.of());

  private final Instant now = Instant.now();
  private final List<String> registered = new ArrayList<>();
  private ServingCertificates certificates = ServingCertificates.create(NAMES, now);
  private CalledServer server;

  @BeforeEach
  void serve() {
    ServingTls tls = ServingTls.forAnybody(TlsPolicy.NORMAL);
    var registration =
        new CalledServer.Registration() {
          @Override
          public void register(int port, String bundle) {
            registered.add(bundle);
          }

          @Override
          public void unregister(int port) {
            registered.clear();
          }
        };
    server =
        new CalledServer(
            "test",
            () -> certificates.shown(),
            tls,
            new WebServer(
                "test",
                new HostAndPort("127.0.0.1", 0),
                Optional.of(tls),
                asked -> Reply.text(200, "ok")),
            registration,
            new VirtualTime(now));
    server.serve();
    server.register();
  }

  @AfterEach
  void close() {
    server.close();
  }

  private void assertShows(ServingCertificates some, String trusted)
      throws GeneralSecurityException {
    assertThat(Handshake.shown(server.port(), trusted)).hasValue(some.server().certificate());
  }

  /** Whoever has not heard of the new authority yet can call all the time. */
  @Test
  void aNewAuthorityIsKnownBeforeItIsNeeded() throws GeneralSecurityException {
    ServingCertificates first = certificates;
    assertShows(first, first.bundle());

    certificates = first.replaced(NAMES, now);
    server.register();
    assertThat(registered.getLast()).isEqualTo(certificates.bundle());
    assertShows(first, first.bundle());

    server.register();
    assertShows(certificates, certificates.bundle());
  }

  @Test
  void aNewCertificateOfTheSameAuthorityIsShownAtOnce() throws GeneralSecurityException {
    ServingCertificates first = certificates;
    certificates = first.renewed(new Names(List.of("localhost", "other"), List.of()), now);
    server.register();

    assertShows(certificates, first.bundle());
  }

  /** As when somebody puts other files into a folder. */
  @Test
  void untrustedCertificateIsNoLongerServed() throws GeneralSecurityException {
    certificates = ServingCertificates.create(NAMES, now);
    server.register();

    assertShows(certificates, certificates.bundle());
  }
}
