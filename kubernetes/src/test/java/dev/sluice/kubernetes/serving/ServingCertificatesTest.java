package dev.sluice.kubernetes.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.kubernetes.serving.ServingCertificates.Names;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServingCertificatesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Names NAMES =
      new Names(List.of("sluice.kueue-system.svc"), List.of("10.1.2.3"));

  private final ServingCertificates first = ServingCertificates.create(NAMES, NOW);

  @Test
  void goodOnesAreKept() {
    assertThat(first.renewed(NAMES, NOW.plus(Duration.ofDays(200)))).isSameAs(first);
  }

  @Test
  void theServersIsRenewedInTimeByTheSameAuthority() {
    ServingCertificates next = first.renewed(NAMES, NOW.plus(Duration.ofDays(300)));

    assertThat(next.server()).isNotEqualTo(first.server());
    assertThat(next.bundle()).isEqualTo(first.bundle());
    assertThat(next.authority().issued(next.server().certificate())).isTrue();
  }

  @Test
  void otherNamesNeedAnotherCertificate() {
    var others = new Names(List.of("other.kueue-system.svc"), List.of());

    assertThat(first.renewed(others, NOW).server()).isNotEqualTo(first.server());
  }

  @Test
  void servedCertificateIsTrustedByClientsOfItsAuthority() {
    ServingCertificates next = first.replaced(NAMES, NOW);

    assertThat(first.shown().isTrustedBy(first.bundle())).isTrue();
    assertThat(first.shown().isTrustedBy(next.bundle())).isTrue();
    assertThat(next.shown().isTrustedBy(next.bundle())).isTrue();
    assertThat(next.shown().isTrustedBy(first.bundle())).isFalse();
    assertThat(first.shown().isTrustedBy("")).isFalse();
  }

  @Test
  void aNewAuthorityIsTrustedBesideTheOldOne() {
    ServingCertificates next = first.renewed(NAMES, NOW.plus(Duration.ofDays(3300)));

    assertThat(next.authority()).isNotEqualTo(first.authority());
    assertThat(next.bundle())
        .contains(first.authority().credential().certificatePem())
        .contains(next.authority().credential().certificatePem());
    assertThat(next.authority().issued(next.server().certificate())).isTrue();
  }
}
