package dev.sluice.apiserver.security;

import java.net.Socket;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * A trust manager that accepts any client certificate in the handshake. TLS still proves that the
 * client has the key; the user that the certificate names, and its issuer, are checked for every
 * request, which gets a 401 where a failed handshake would not explain anything.
 */
public final class AnyClient extends X509ExtendedTrustManager {
  private final X509Certificate[] named;

  /**
   * @param named the authorities that the server names in the handshake; with none, any
   */
  public AnyClient(X509Certificate... named) {
    this.named = named.clone();
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
    return named.clone();
  }

  private static IllegalStateException neverAsked() {
    return new IllegalStateException("this end of the connection is the server");
  }
}
