package dev.sluice.kubernetes.serving;

import dev.sluice.apiserver.jetty.TlsContext;
import dev.sluice.apiserver.security.AnyClient;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * The TLS of a server whose certificate changes while it runs.
 *
 * <p>Threads: safe.
 */
final class ServingTls {
  private final SslContextFactory.Server factory = new SslContextFactory.Server();

  private ServingTls(TlsPolicy policy, boolean asksClients) {
    factory.setSniRequired(false);
    factory.setWantClientAuth(asksClients);
    factory.setIncludeProtocols(policy.protocols());
    factory.setIncludeCipherSuites(policy.suites());
  }

  /** Callers show nothing. */
  static ServingTls forAnybody(TlsPolicy policy) {
    return new ServingTls(policy, false);
  }

  /**
   * Callers may show a certificate. TLS proves that they hold its key; whom it names, and whether
   * that is to be believed, is checked for every request.
   */
  static ServingTls askingClients(TlsPolicy policy) {
    return new ServingTls(policy, true);
  }

  SslContextFactory.Server factory() {
    return factory;
  }

  /** Shows a certificate on every new connection; the first must come before the server starts. */
  void show(ServingCertificate certificate) {
    SSLContext context = TlsContext.of(certificate.key(), certificate.chain(), new AnyClient());
    try {
      if (factory.isStarted()) {
        factory.reload(started -> started.setSslContext(context));
      } else {
        factory.setSslContext(context);
      }
    } catch (Exception impossible) {
      throw new IllegalStateException("this certificate cannot be served with", impossible);
    }
  }
}
