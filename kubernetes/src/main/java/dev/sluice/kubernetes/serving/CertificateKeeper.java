package dev.sluice.kubernetes.serving;

import dev.sluice.apiserver.security.CertificateAuthority;
import dev.sluice.apiserver.security.Credential;
import dev.sluice.kubernetes.UncachedObjects;
import dev.sluice.kubernetes.serving.ServingCertificates.Names;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.TimeSource;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates of a server: kept in a Secret, which all replicas share, or in memory, if no
 * other replica serves under the same address. They are made if they are missing, damaged or about
 * to expire.
 *
 * <p>Threads: one keeper belongs to one thread.
 */
final class CertificateKeeper implements ServingCertificate.Source {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateKeeper.class);
  private static final int ATTEMPTS = 5;

  private final UncachedObjects objects;
  private final Optional<ObjectKey> secret;
  private final Names names;
  private final TimeSource time;
  private Optional<ServingCertificates> kept = Optional.empty();

  /**
   * @param secret where to keep them; empty for memory
   */
  CertificateKeeper(
      UncachedObjects objects, Optional<ObjectKey> secret, Names names, TimeSource time) {
    this.objects = objects;
    this.secret = secret;
    this.names = names;
    this.time = time;
  }

  @Override
  public ServingCertificate current() {
    ServingCertificates now = secret.isPresent() ? shared(secret.get()) : renewed(kept);
    kept = Optional.of(now);
    return now.shown();
  }

  /** A user who deletes the Secret gets new certificates, and no caller is cut off meanwhile. */
  private ServingCertificates renewed(Optional<ServingCertificates> found) {
    return found
        .map(certificates -> certificates.renewed(names, time.now()))
        .or(() -> kept.map(lost -> lost.replaced(names, time.now())))
        .orElseGet(() -> ServingCertificates.create(names, time.now()));
  }

  private ServingCertificates shared(ObjectKey key) {
    for (int attempt = 1; ; attempt++) {
      Optional<ApiObject> stored = objects.get(key);
      Optional<ServingCertificates> found = stored.flatMap(CertificateKeeper::read);
      ServingCertificates wanted = renewed(found);
      if (found.equals(Optional.of(wanted))) {
        return wanted;
      }
      try {
        store(key, stored, wanted);
        LOG.info("new certificates are in Secret {}", key);
        return wanted;
      } catch (ApiException refused) {
        // Another replica was faster: then its certificates are used.
        boolean outdated =
            refused.is(ApiFailure.Reason.CONFLICT) || refused.is(ApiFailure.Reason.ALREADY_EXISTS);
        if (!outdated || attempt == ATTEMPTS) {
          throw refused;
        }
      }
    }
  }

  private void store(ObjectKey key, Optional<ApiObject> stored, ServingCertificates wanted) {
    ApiObject secretObject =
        stored.orElseGet(() -> ApiObject.of(Kinds.SECRET, key.namespace(), key.name()));
    ApiObject filled = secretObject.with(List.of("data"), data(wanted));
    if (stored.isPresent()) {
      objects.update(key, filled);
    } else {
      objects.create(key, filled);
    }
  }

  private static Tree data(ServingCertificates certificates) {
    Credential authority = certificates.authority().credential();
    return Tree.of(
        "ca.crt",
        encoded(authority.certificatePem()),
        "ca.key",
        encoded(authority.keyPem()),
        "former-ca.crt",
        encoded(certificates.formerAuthority()),
        "tls.crt",
        encoded(certificates.server().certificatePem()),
        "tls.key",
        encoded(certificates.server().keyPem()));
  }

  private static Optional<ServingCertificates> read(ApiObject stored) {
    try {
      var authority = new CertificateAuthority(credential(stored, "ca.crt", "ca.key"));
      return Optional.of(
          new ServingCertificates(
              authority,
              decoded(stored, "former-ca.crt"),
              credential(stored, "tls.crt", "tls.key")));
    } catch (IllegalArgumentException unusable) {
      LOG.info("Secret {} has no usable certificates: {}", stored.path(), unusable.getMessage());
      return Optional.empty();
    }
  }

  private static Credential credential(ApiObject stored, String certificate, String key) {
    return Credential.parse(decoded(stored, certificate), decoded(stored, key));
  }

  private static String decoded(ApiObject stored, String name) {
    byte[] text = Base64.getDecoder().decode(stored.tree().text("data", name));
    return new String(text, StandardCharsets.UTF_8);
  }

  static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
