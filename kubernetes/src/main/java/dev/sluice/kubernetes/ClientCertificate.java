package dev.sluice.kubernetes;

import dev.sluice.apiserver.jetty.TlsContext;
import dev.sluice.apiserver.security.Credential;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate by which a kubeconfig identifies its user, with the key in any form that {@code
 * kubectl} takes: PKCS#8, or the older form of its algorithm. The client's own reader takes keys on
 * curves in the older form only.
 *
 * @param certificate where its PEM is, as the key's
 */
record ClientCertificate(Source certificate, Source key) {

  /** A text in base64 or a file; the text comes first, as in {@code kubectl}. */
  record Source(String data, String file) {
    private static Optional<Source> of(@Nullable String data, @Nullable String file) {
      var source = new Source(data == null ? "" : data, file == null ? "" : file);
      return source.isEmpty() ? Optional.empty() : Optional.of(source);
    }

    private boolean isEmpty() {
      return data.isEmpty() && file.isEmpty();
    }

    private String pem() {
      if (!data.isEmpty()) {
        return new String(Base64.getMimeDecoder().decode(data), StandardCharsets.UTF_8);
      }
      try {
        return Files.readString(Path.of(file));
      } catch (IOException unreadable) {
        throw new IllegalArgumentException("cannot read " + file + ": " + unreadable, unreadable);
      }
    }
  }

  /** Takes it out of a configuration, whose client then needs none; empty if there is none. */
  static Optional<ClientCertificate> takenFrom(Config config) {
    Optional<Source> certificate =
        Source.of(config.getClientCertData(), config.getClientCertFile());
    Optional<Source> key = Source.of(config.getClientKeyData(), config.getClientKeyFile());
    if (certificate.isEmpty() || key.isEmpty()) {
      return Optional.empty();
    }
    config.setClientCertData(null);
    config.setClientCertFile(null);
    config.setClientKeyData(null);
    config.setClientKeyFile(null);
    return Optional.of(new ClientCertificate(certificate.get(), key.get()));
  }

  /**
   * Reads both, as they are now.
   *
   * @throws IllegalArgumentException if they are none
   */
  KeyManager[] keyManagers() {
    String chain = certificate.pem();
    Credential own = Credential.parse(chain, key.pem());
    return TlsContext.keyManagers(own.key(), PemCertificates.parse(chain));
  }
}
