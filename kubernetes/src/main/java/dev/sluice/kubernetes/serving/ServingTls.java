package dev.sluice.kubernetes.serving;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * The TLS of a server whose certificate changes while it runs.
 *
 * <p>Threads: safe.
 */
final class ServingTls {
  private final SslContextFactory.Server factory = new SslContextFactory.Server();

  private ServingTls(boolean asksClients) {
    factory.setSniRequired(false);
    factory.setWantClientAuth(asksClients);
  }

  /** Callers show nothing. */
  static ServingTls forAnybody() {
    return new ServingTls(false);
  }

  /**
   * Callers may show a certificate. TLS proves that they hold its key; whom it names, and whether
   * that is to be believed, is judged for every request.
   */
  static ServingTls askingClients() {
    return new ServingTls(true);
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

  /** Lets a handshake succeed with any client certificate. */
  private static final class AnyClient extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
      throw neverAsked();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
      throw neverAsked();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
      throw neverAsked();
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }

    private static IllegalStateException neverAsked() {
      return new IllegalStateException("this end of the connection is the server");
    }
  }
}
