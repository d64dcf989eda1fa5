package dev.sluice.conformance.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.KubernetesBinaries;
import dev.sluice.conformance.LocalNetwork;
import dev.sluice.conformance.RealCluster;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.kubernetes.serving.AggregatedApi;
import dev.sluice.kubernetes.serving.ApiAddress;
import dev.sluice.kubernetes.serving.HostAndPort;
import dev.sluice.kubernetes.serving.TlsPolicy;
import dev.sluice.runtime.RealTime;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An API of ours from outside the cluster, behind an API server that follows Services to addresses
 * instead of looking up names.
 */
@RequiresKubernetes
@Timeout(120)
class RoutedApiIT {
  private static final String TIDE =
      "/apis/" + AggregatedApiIT.GROUP + "/v1/namespaces/default/harbours/home/tide";

  private static RealKubernetes kubernetes;
  private static Kubectl kubectl;

  @BeforeAll
  static void start() {
    kubernetes =
        RealKubernetes.start(
            KubernetesBinaries.find().orElseThrow(), List.of("--enable-aggregator-routing=true"));
    kubectl = kubernetes.kubectl();
  }

  @AfterAll
  static void stop() {
    kubernetes.close();
  }

  @Test
  void anAddressOfThisMachineIsFoundByAnEndpointSlice() {
    try (var time = new RealTime();
        var cluster = cluster(time);
        AggregatedApi api = api(cluster, LocalNetwork.address().orElseThrow(), time)) {
      api.serve();
      api.register();

      Eventually.holds("the API is there", () -> kubectl.run("get", "--raw", TIDE).exitCode() == 0);
      api.unregister();
      assertThat(kubectl.run("get", "apiservices,services,endpointslices", "-o", "name").orFail())
          .doesNotContain(AggregatedApiIT.GROUP)
          .doesNotContain("sluice-visibility-outside");
    }
  }

  @Test
  void loopbackIsNotReachedAndTheApiServerSaysSoInTheWordsWeLookFor() {
    try (var time = new RealTime();
        var cluster = cluster(time);
        AggregatedApi api = api(cluster, "127.0.0.1", time)) {
      api.serve();
      api.register();

      Eventually.holds(
          "the API server says why", () -> told().contains("unsupported service type"));
      api.unregister();
    }
  }

  private static String told() {
    return kubectl
        .run(
            "get",
            "apiservice/v1." + AggregatedApiIT.GROUP,
            "-o",
            "jsonpath={.status.conditions[?(@.type==\"Available\")].message}")
        .output();
  }

  private static KubernetesCluster cluster(RealTime time) {
    return RealCluster.of(kubernetes.kubeconfig(), time);
  }

  private static AggregatedApi api(KubernetesCluster cluster, String host, RealTime time) {
    return new AggregatedApi(
        cluster.uncached(),
        new AggregatedApi.Settings(
            new HostAndPort(host, 0),
            TlsPolicy.NORMAL,
            ApiAddress.outside("default", URI.create("https://" + host)).orElseThrow(),
            AggregatedApiIT.GROUP,
            List.of("v1"),
            () -> AggregatedApiIT.TIDES),
        time);
  }
}
