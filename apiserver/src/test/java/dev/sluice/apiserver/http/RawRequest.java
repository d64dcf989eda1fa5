package dev.sluice.apiserver.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Sends what no decent HTTP client would. */
record RawRequest(TestServer server) {

  /** The first line of the answer to a request of these lines. */
  String head(String... lines) throws Exception {
    // Closing the plain socket skips TLS's farewell, for which the server would not be listening.
    try (var plain = new Socket(InetAddress.getLoopbackAddress(), server.server.port())) {
      plain.setSoTimeout(10_000);
      var socket =
          context()
              .getSocketFactory()
              .createSocket(plain, "127.0.0.1", server.server.port(), false);
      String text = String.join("\r\n", lines) + "\r\n\r\n";
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      var reader =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      String line = reader.readLine();
      if (line == null) {
        throw new IOException("the server closed the connection");
      }
      return line;
    }
  }

  private SSLContext context() throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry(
        "ca", server.certificates.authority().credential().certificate());
    store.setKeyEntry(
        "me",
        server.certificates.admin().key(),
        new char[0],
        new Certificate[] {server.certificates.admin().certificate()});
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }
}
