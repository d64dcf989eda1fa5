package dev.sluice.apiserver.http;

import dev.sluice.apiserver.security.AnyClient;
import dev.sluice.apiserver.security.Certificates;
import dev.sluice.apiserver.security.Credential;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
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
}
