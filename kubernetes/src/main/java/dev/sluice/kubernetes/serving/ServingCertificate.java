package dev.sluice.kubernetes.serving;

import dev.sluice.kubernetes.PemCertificates;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * What a server shows to its callers.
 *
 * @param chain its own certificate first, then those that lead to an authority
 * @param bundle the PEM text of what callers are to trust; empty if they trust it anyhow
 */
record ServingCertificate(List<X509Certificate> chain, PrivateKey key, String bundle) {
  ServingCertificate {
    chain = List.copyOf(chain);
  }

  /** Whether a caller that trusts the certificates of a PEM text trusts this one. */
  boolean isTrustedBy(String trusted) {
    return !trusted.isEmpty()
        && PemCertificates.parse(trusted).stream()
            .anyMatch(authority -> signed(chain.getLast(), authority));
  }

  private static boolean signed(X509Certificate certificate, X509Certificate by) {
    try {
      certificate.verify(by.getPublicKey());
      return true;
    } catch (GeneralSecurityException another) {
      return false;
    }
  }

  /** Where certificates come from. One source belongs to one thread. */
  interface Source {
    /** The certificate to show from now on. */
    ServingCertificate current();
  }
}
