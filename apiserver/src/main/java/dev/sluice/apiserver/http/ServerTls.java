package dev.sluice.apiserver.http;

import dev.sluice.apiserver.jetty.TlsContext;
import dev.sluice.apiserver.security.AnyClient;
import dev.sluice.apiserver.security.Certificates;
import dev.sluice.apiserver.security.Credential;
import java.security.cert.X509Certificate;
import java.util.List;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** The TLS settings of the server: its certificate, and optional client certificates. */
final class ServerTls {
  private ServerTls() {}

  static SslContextFactory.Server of(Certificates certificates) {
    Credential server = certificates.server();
    X509Certificate root = certificates.authority().credential().certificate();
    var factory = new SslContextFactory.Server();
    factory.setSslContext(
        TlsContext.of(server.key(), List.of(server.certificate(), root), new AnyClient(root)));
    factory.setWantClientAuth(true);
    return factory;
  }
}
