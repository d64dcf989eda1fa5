package dev.sluice.kubernetes.serving;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is said about an API that nobody reaches. */
class AggregatedApiTest {

  @Test
  void unsupportedServiceTypeSuggestsAnAddress() {
    assertThat(
            AggregatedApi.unreached(
                "FailedDiscoveryCheck: unsupported service type \"ExternalName\""))
        .contains("unsupported service type", "--enable-aggregator-routing")
        .contains("--webhook-url=https://ADDRESS")
        .endsWith("Everything else works");
  }

  @Test
  void otherwiseTheApiServerKnowsBest() {
    assertThat(AggregatedApi.unreached("FailedDiscoveryCheck: no route to host"))
        .contains("no route to host", "kubectl get apiservices")
        .doesNotContain("--webhook-url");
  }
}
