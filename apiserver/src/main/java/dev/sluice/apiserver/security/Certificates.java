package dev.sluice.apiserver.security;

import dev.sluice.runtime.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates of one server: its authority, its own, and its administrator's. They are kept in
 * a directory, so that a kubeconfig still works after a restart of the server; certificates that
 * have expired, or soon will, are issued again.
 */
public record Certificates(CertificateAuthority authority, Credential server, Credential admin) {
  private static final Logger LOG = LoggerFactory.getLogger(Certificates.class);
  private static final Duration RENEW_AUTHORITY = Duration.ofDays(400);
  private static final Duration RENEW_ISSUED = Duration.ofDays(30);
  private static final String ADMIN = "sluice-admin";
  private static final List<String> NAMES =
      List.of(
          "localhost",
          "kubernetes",
          "kubernetes.default",
          "kubernetes.default.svc",
          "kubernetes.default.svc.cluster.local");
  private static final List<String> ADDRESSES = List.of("127.0.0.1", "::1");

  /**
   * Reads the certificates in a directory, and issues those that are missing or about to expire.
   */
  public static Certificates open(Path directory, TimeSource time) throws IOException {
    Instant now = time.now();
    Credential root =
        keep(
            directory.resolve("ca"),
            found -> found.lasts(RENEW_AUTHORITY, now),
            () -> CertificateAuthority.create(now).credential());
    var authority = new CertificateAuthority(root);
    Credential server =
        keep(
            directory.resolve("server"),
            found -> authority.issued(found.certificate()) && found.lasts(RENEW_ISSUED, now),
            () -> authority.issueServer(NAMES, ADDRESSES, now));
    Credential admin =
        keep(
            directory.resolve("admin"),
            found -> authority.issued(found.certificate()) && found.lasts(RENEW_ISSUED, now),
            () -> authority.issueClient(ADMIN, User.MASTERS, now));
    return new Certificates(authority, server, admin);
  }

  private static Credential keep(Path base, Predicate<Credential> good, Supplier<Credential> issue)
      throws IOException {
    Optional<Credential> found = read(base).filter(good);
    if (found.isPresent()) {
      return found.get();
    }
    Credential issued = issue.get();
    PrivateFiles.write(key(base), issued.keyPem());
    PrivateFiles.write(certificate(base), issued.certificatePem());
    return issued;
  }

  private static Optional<Credential> read(Path base) throws IOException {
    if (!Files.exists(certificate(base)) || !Files.exists(key(base))) {
      return Optional.empty();
    }
    try {
      return Optional.of(
              Credential.parse(Files.readString(certificate(base)), Files.readString(key(base))))
          .filter(Certificates::belongTogether);
    } catch (IllegalArgumentException damaged) {
      LOG.warn("{} is damaged and is replaced: {}", certificate(base), damaged.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Whether key and certificate match: a stop between the two writes of a pair leaves a new key
   * with an old certificate.
   */
  private static boolean belongTogether(Credential credential) {
    try {
      byte[] probe = {1, 2, 3};
      boolean elliptic = credential.key().getAlgorithm().equals("EC");
      var signer = Signature.getInstance(elliptic ? "SHA256withECDSA" : "SHA256withRSA");
      signer.initSign(credential.key());
      signer.update(probe);
      byte[] signature = signer.sign();
      signer.initVerify(credential.certificate().getPublicKey());
      signer.update(probe);
      return signer.verify(signature);
    } catch (GeneralSecurityException otherKind) {
      return false;
    }
  }

  private static Path certificate(Path base) {
    return base.resolveSibling(base.getFileName() + ".crt");
  }

  private static Path key(Path base) {
    return base.resolveSibling(base.getFileName() + ".key");
  }
}
