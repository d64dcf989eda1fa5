package dev.sluice.kubernetes.serving;

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

  /** Where certificates come from. One source belongs to one thread. */
  interface Source {
    /** The certificate to show from now on. */
    ServingCertificate current();
  }
}
