package dev.sluice.kubernetes.serving;

import dev.sluice.apiserver.security.AnyClient;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
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
   * that is to be believed, is judged for every request.
   */
  static ServingTls askingClients(TlsPolicy policy) {
    return new ServingTls(policy, true);
  }

  SslContextFactory.Server factory() {
    return factory;
  }

  /** Shows a certificate on every new connection; the first must come before the server starts. */
  void show(ServingCertificate certificate) {
    SSLContext context = context(certificate);
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

  private static SSLContext context(ServingCertificate certificate) {
    try {
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      Certificate[] chain = certificate.chain().toArray(Certificate[]::new);
      store.setKeyEntry("server", certificate.key(), new char[0], chain);
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, new char[0]);
      var context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), new TrustManager[] {new AnyClient()}, null);
      return context;
    } catch (GeneralSecurityException | IOException impossible) {
      throw new IllegalStateException("this certificate cannot be served with", impossible);
    }
  }
}
