package dev.sluice.apiserver.http;

import dev.sluice.apiserver.security.Certificates;
import dev.sluice.apiserver.security.Credential;
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

/** Sets TLS up: our certificate for clients, and a wish, not a demand, for theirs. */
final class ServerTls {
  private ServerTls() {}

  static SslContextFactory.Server of(Certificates certificates) {
    try {
      var context = SSLContext.getInstance("TLS");
      X509Certificate root = certificates.authority().credential().certificate();
      context.init(
          keys(certificates.server(), root).getKeyManagers(),
          new TrustManager[] {new AnyClient(root)},
          null);
      var factory = new SslContextFactory.Server();
      factory.setSslContext(context);
      factory.setWantClientAuth(true);
      return factory;
    } catch (GeneralSecurityException | IOException impossible) {
      throw new IllegalStateException("the server's certificate cannot be used", impossible);
    }
  }

  private static KeyManagerFactory keys(Credential server, X509Certificate root)
      throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "server", server.key(), new char[0], new Certificate[] {server.certificate(), root});
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    return keys;
  }

  /**
   * Lets a handshake succeed with any client certificate. TLS still proves that the client holds
   * its key; whether we issued the certificate is asked for every request, by {@link
   * dev.sluice.apiserver.security.Authenticator}, which answers 401 where a failed handshake would
   * leave the client guessing.
   */
  private static final class AnyClient extends X509ExtendedTrustManager {
    private final X509Certificate root;

    AnyClient(X509Certificate root) {
      this.root = root;
    }

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
      return new X509Certificate[] {root};
    }

    private static IllegalStateException neverAsked() {
      return new IllegalStateException("this end of the connection is the server");
    }
  }
}
