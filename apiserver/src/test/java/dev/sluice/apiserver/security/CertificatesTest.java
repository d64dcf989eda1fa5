package dev.sluice.apiserver.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.Subscription;
import dev.sluice.runtime.TimeSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateParsingException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificatesTest {
  private static final Instant START = Instant.parse("2026-05-01T00:00:00Z");

  @TempDir Path directory;

  private record At(Instant now) implements TimeSource {
    @Override
    public Subscription after(Duration delay, Runnable task) {
      throw new UnsupportedOperationException("nothing waits here");
    }
  }

  private Certificates open(Instant now) throws IOException {
    return Certificates.open(directory, new At(now));
  }

  @Test
  void theSecondStartUsesTheCertificatesOfTheFirst() throws IOException {
    Certificates first = open(START);

    assertThat(open(START.plus(Duration.ofDays(100)))).isEqualTo(first);
  }

  @Test
  void certificatesNearTheirEndAreRenewedUnderTheSameAuthority() throws IOException {
    Certificates first = open(START);
    Certificates later = open(START.plus(Duration.ofDays(340)));

    assertThat(later.authority()).isEqualTo(first.authority());
    assertThat(later.server()).isNotEqualTo(first.server());
    assertThat(later.admin()).isNotEqualTo(first.admin());
    assertThat(later.admin().certificate().getNotAfter())
        .isAfter(first.admin().certificate().getNotAfter());
  }

  @Test
  void aKeyWithoutItsCertificateIsReplaced() throws IOException {
    Certificates first = open(START);
    String stray = first.authority().issueClient("x", "y", START).keyPem();
    Files.writeString(directory.resolve("admin.key"), stray);
    Files.writeString(directory.resolve("server.key"), "rubbish");

    Certificates second = open(START);

    assertThat(second.authority()).isEqualTo(first.authority());
    assertThat(second.admin().certificate()).isNotEqualTo(first.admin().certificate());
    assertThat(second.server().certificate()).isNotEqualTo(first.server().certificate());
  }

  @Test
  void onlyTheOwnerMayReadKeysAndTheKubeconfig() throws IOException {
    Certificates certificates = open(START);
    Path kubeconfig = directory.resolve("deep/kubeconfig");
    Kubeconfig.write(kubeconfig, certificates, 6443);

    for (Path file : List.of(directory.resolve("ca.key"), kubeconfig)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void theServerIsKnownByItsNames() throws IOException, CertificateParsingException {
    var names =
        open(START).server().certificate().getSubjectAlternativeNames().stream()
            .map(name -> name.get(1).toString())
            .toList();

    assertThat(names).contains("localhost", "127.0.0.1", "kubernetes.default.svc");
    assertThat(names).anyMatch(name -> name.equals("0:0:0:0:0:0:0:1"));
  }

  @Test
  void theKubeconfigHoldsAllThatAClientNeeds() throws IOException {
    Certificates certificates = open(START);
    Tree config = Yaml.parseAll(Kubeconfig.text(certificates, 6443)).getFirst().asTree();
    Tree cluster = config.trees("clusters").getFirst().tree("cluster");
    Tree user = config.trees("users").getFirst().tree("user");
    Tree context = config.trees("contexts").getFirst();

    assertThat(config.text("current-context")).isEqualTo("sluice");
    assertThat(context.text("context", "namespace")).isEqualTo("default");
    assertThat(cluster.text("server")).isEqualTo("https://127.0.0.1:6443");
    assertThat(decoded(cluster.text("certificate-authority-data")))
        .isEqualTo(certificates.authority().credential().certificatePem());
    assertThat(decoded(user.text("client-key-data"))).isEqualTo(certificates.admin().keyPem());
  }

  private static String decoded(String base64) {
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
  }

  @Test
  void aClientCertificateNamesItsUser() throws IOException {
    Certificates certificates = open(START);
    var authenticator = new Authenticator(certificates.authority(), new At(START));

    assertThat(authenticator.authenticate(List.of(certificates.admin().certificate()), ""))
        .isEqualTo(new User("sluice-admin", List.of("system:masters", "system:authenticated")));
    assertThat(authenticator.authenticate(List.of(), "")).isEqualTo(User.ANONYMOUS);
  }

  @Test
  void badCredentialsAreRefused() throws IOException {
    Certificates certificates = open(START);
    var other = CertificateAuthority.create(START).issueClient("me", User.MASTERS, START);
    var now = new Authenticator(certificates.authority(), new At(START));
    var muchLater =
        new Authenticator(certificates.authority(), new At(START.plus(Duration.ofDays(400))));

    assertRefused(() -> now.authenticate(List.of(other.certificate()), ""));
    assertRefused(() -> now.authenticate(List.of(certificates.server().certificate()), ""));
    assertRefused(() -> now.authenticate(List.of(), "Bearer token"));
    assertRefused(() -> muchLater.authenticate(List.of(certificates.admin().certificate()), ""));
  }

  private static void assertRefused(ThrowableAssert.ThrowingCallable authentication) {
    assertThatThrownBy(authentication)
        .isInstanceOfSatisfying(
            ApiException.class, refused -> assertThat(refused.is(Reason.UNAUTHORIZED)).isTrue());
  }
}
