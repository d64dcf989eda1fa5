package dev.sluice.apiserver.security;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.runtime.TimeSource;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x500.style.IETFUtils;

/**
 * The authentication of requests. A client certificate of our authority names a user and groups; a
 * request without a credential is anonymous; an invalid credential is rejected even where an
 * anonymous request would be allowed.
 */
public final class Authenticator {
  private static final String FOR_CLIENTS = "1.3.6.1.5.5.7.3.2";

  /**
   * Enough for the clients of any real server; certificates beyond it are parsed again for each
   * request.
   */
  private static final int MAX_KNOWN = 1000;

  private final CertificateAuthority authority;
  private final TimeSource time;

  /** The users of certificates that were verified: parsing one takes longer than many requests. */
  private final Map<X509Certificate, User> known = new ConcurrentHashMap<>();

  public Authenticator(CertificateAuthority authority, TimeSource time) {
    this.authority = authority;
    this.time = time;
  }

  /**
   * The user of a request.
   *
   * @param certificates the certificates of the TLS handshake, the client's own first
   * @param authorization the header of that name, empty if there is none
   */
  public User authenticate(List<X509Certificate> certificates, String authorization) {
    if (!authorization.isEmpty()) {
      throw unauthorized();
    }
    if (certificates.isEmpty()) {
      return User.ANONYMOUS;
    }
    return user(certificates.getFirst()).orElseThrow(Authenticator::unauthorized);
  }

  private Optional<User> user(X509Certificate certificate) {
    if (!isCurrent(certificate)) {
      return Optional.empty();
    }
    User user = known.get(certificate);
    return user == null ? read(certificate) : Optional.of(user);
  }

  private Optional<User> read(X509Certificate certificate) {
    Optional<User> user =
        authority.issued(certificate) && isForClients(certificate)
            ? named(certificate)
            : Optional.empty();
    if (known.size() < MAX_KNOWN) {
      user.ifPresent(one -> known.put(certificate, one));
    }
    return user;
  }

  private static Optional<User> named(X509Certificate certificate) {
    X500Name subject = X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
    List<String> names = parts(subject, BCStyle.CN);
    var groups = new ArrayList<>(parts(subject, BCStyle.O));
    groups.add(User.AUTHENTICATED);
    return names.isEmpty() ? Optional.empty() : Optional.of(new User(names.getFirst(), groups));
  }

  private boolean isCurrent(X509Certificate certificate) {
    try {
      certificate.checkValidity(Date.from(time.now()));
      return true;
    } catch (CertificateException expired) {
      return false;
    }
  }

  private static boolean isForClients(X509Certificate certificate) {
    try {
      List<String> purposes = certificate.getExtendedKeyUsage();
      return purposes != null && purposes.contains(FOR_CLIENTS);
    } catch (CertificateException unreadable) {
      return false;
    }
  }

  private static List<String> parts(X500Name subject, ASN1ObjectIdentifier type) {
    var parts = new ArrayList<String>();
    for (RDN part : subject.getRDNs(type)) {
      parts.add(IETFUtils.valueToString(part.getFirst().getValue()));
    }
    return parts;
  }

  private static ApiException unauthorized() {
    return ApiFailure.because(Reason.UNAUTHORIZED, "Unauthorized");
  }
}
