package dev.sluice.kubernetes;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;

/** The certificates in a PEM text. */
public final class PemCertificates {
  private PemCertificates() {}

  /** All of them, in order; throws if the text is something else. */
  public static List<X509Certificate> parse(String pem) {
    try (var bytes = new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8))) {
      return CertificateFactory.getInstance("X.509").generateCertificates(bytes).stream()
          .map(X509Certificate.class::cast)
          .toList();
    } catch (CertificateException | IOException malformed) {
      throw new IllegalArgumentException(
          "not certificates in PEM: " + malformed.getMessage(), malformed);
    }
  }
}
