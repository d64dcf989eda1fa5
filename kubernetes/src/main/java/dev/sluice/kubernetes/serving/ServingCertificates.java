package dev.sluice.kubernetes.serving;

import dev.sluice.apiserver.security.CertificateAuthority;
import dev.sluice.apiserver.security.Credential;
import java.security.cert.CertificateParsingException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The certificates with which we serve: an authority of our own, a certificate it issued, and the
 * authority before this one, which others may still serve with for a while.
 *
 * @param formerAuthority a PEM text; empty if there was none
 */
record ServingCertificates(
    CertificateAuthority authority, String formerAuthority, Credential server) {
  private static final Duration RENEW_AUTHORITY = Duration.ofDays(400);
  private static final Duration RENEW_SERVER = Duration.ofDays(90);

  /** Under which names and addresses the server is reached. */
  record Names(List<String> dns, List<String> addresses) {
    Names {
      dns = List.copyOf(dns);
      addresses = List.copyOf(addresses);
    }

    private Credential issue(CertificateAuthority authority, Instant now) {
      return authority.issueServer(dns, addresses, now);
    }

    private boolean areIn(Credential credential) {
      try {
        Collection<List<?>> found = credential.certificate().getSubjectAlternativeNames();
        Set<String> covered = new TreeSet<>();
        if (found != null) {
          found.forEach(name -> covered.add(String.valueOf(name.get(1))));
        }
        return covered.containsAll(dns) && covered.containsAll(addresses);
      } catch (CertificateParsingException foreign) {
        return false;
      }
    }
  }

  static ServingCertificates create(Names names, Instant now) {
    var authority = CertificateAuthority.create(now);
    return new ServingCertificates(authority, "", names.issue(authority, now));
  }

  /** These, or new ones in place of those that end soon or were made for other names. */
  ServingCertificates renewed(Names names, Instant now) {
    if (!authority.credential().lasts(RENEW_AUTHORITY, now)) {
      return replaced(names, now);
    }
    boolean good =
        server.lasts(RENEW_SERVER, now)
            && authority.issued(server.certificate())
            && names.areIn(server);
    return good
        ? this
        : new ServingCertificates(authority, formerAuthority, names.issue(authority, now));
  }

  /** New ones of a new authority, beside which this one's is trusted: others may still show it. */
  ServingCertificates replaced(Names names, Instant now) {
    var next = CertificateAuthority.create(now);
    return new ServingCertificates(
        next, authority.credential().certificatePem(), names.issue(next, now));
  }

  /** What the server shows. */
  ServingCertificate shown() {
    return new ServingCertificate(List.of(server.certificate()), server.key(), bundle());
  }

  /** The authority that callers of the server are to trust. */
  String bundle() {
    return authority.credential().certificatePem() + formerAuthority;
  }
}
