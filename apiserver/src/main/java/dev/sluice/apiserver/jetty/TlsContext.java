package dev.sluice.apiserver.jetty;

import dev.sluice.apiserver.security.AnyClient;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** The JDK's TLS context and key managers with a certificate of ours. */
public final class TlsContext {
  private TlsContext() {}

  /**
   * @param chain the server's own certificate first, then those that lead to an authority
   * @param clients the trust manager for client certificates
   */
  public static SSLContext of(PrivateKey key, List<X509Certificate> chain, AnyClient clients) {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(keyManagers(key, chain), new TrustManager[] {clients}, null);
      return context;
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("this certificate cannot be served with", impossible);
    }
  }

  /**
   * Key managers with one certificate.
   *
   * @param chain the own certificate first, then those that lead to an authority
   */
  public static KeyManager[] keyManagers(PrivateKey key, List<X509Certificate> chain) {
    try {
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("own", key, new char[0], chain.toArray(Certificate[]::new));
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, new char[0]);
      return keys.getKeyManagers();
    } catch (GeneralSecurityException | IOException impossible) {
      throw new IllegalStateException("this certificate cannot be used", impossible);
    }
  }
}
