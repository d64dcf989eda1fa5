package dev.sluice.kubernetes.serving;

import dev.sluice.apiserver.security.Credential;
import dev.sluice.kubernetes.PemCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Certificates that another program makes and renews, such as cert-manager: {@code tls.crt} and
 * {@code tls.key} in a folder, and beside them {@code ca.crt}, which callers are to trust.
 */
record CertificateDirectory(Path folder) implements ServingCertificate.Source {

  @Override
  public ServingCertificate current() {
    Path authority = folder.resolve("ca.crt");
    String certificates = text(folder.resolve("tls.crt"));
    try {
      var own = Credential.parse(certificates, text(folder.resolve("tls.key")));
      return new ServingCertificate(
          PemCertificates.parse(certificates),
          own.key(),
          Files.exists(authority) ? text(authority) : "");
    } catch (IllegalArgumentException unusable) {
      throw new IllegalArgumentException(
          "%s has no usable tls.crt and tls.key: %s".formatted(folder, unusable.getMessage()),
          unusable);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new IllegalArgumentException(
          ("cannot read %s: put a certificate there, name another folder in webhook.certDir, or let"
                  + " the manager make its own with internalCertManagement.enable")
              .formatted(file),
          unreadable);
    }
  }
}
