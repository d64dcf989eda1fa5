package dev.sluice.kubernetes.serving;

import dev.sluice.kubernetes.PemCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** A caller of one of our servers that goes no further than to greet it. */
final class Handshake {
  private Handshake() {}

  /**
   * What a server shows to those who trust what is in a PEM text; empty if they do not trust it.
   */
  static Optional<Certificate> shown(int port, String trusted) throws GeneralSecurityException {
    try (SSLSocket socket = open(port, trusted)) {
      socket.startHandshake();
      return Optional.of(socket.getSession().getPeerCertificates()[0]);
    } catch (IOException refused) {
      return Optional.empty();
    }
  }

  /** What comes of offering one protocol and one cipher suite; empty if nothing does. */
  static Optional<SSLSession> offering(int port, String trusted, String protocol, String suite)
      throws GeneralSecurityException {
    try (SSLSocket socket = open(port, trusted)) {
      socket.setEnabledProtocols(new String[] {protocol});
      socket.setEnabledCipherSuites(new String[] {suite});
      socket.startHandshake();
      return Optional.of(socket.getSession());
    } catch (IOException refused) {
      return Optional.empty();
    }
  }

  private static SSLSocket open(int port, String trusted)
      throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    for (X509Certificate authority : PemCertificates.parse(trusted)) {
      store.setCertificateEntry(authority.getSerialNumber().toString(), authority);
    }
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    var context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    var factory = context.getSocketFactory();
    return (SSLSocket) factory.createSocket(InetAddress.getLoopbackAddress(), port);
  }
}
