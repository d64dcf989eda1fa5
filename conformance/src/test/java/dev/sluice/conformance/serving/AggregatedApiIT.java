package dev.sluice.conformance.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.RealCluster;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.kubernetes.serving.AggregatedApi;
import dev.sluice.kubernetes.serving.ApiAddress;
import dev.sluice.kubernetes.serving.HostAndPort;
import dev.sluice.kubernetes.serving.TlsPolicy;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.ComputedApi;
import dev.sluice.runtime.RealTime;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An API of ours behind a real API server, and kubectl in front of it. */
@RequiresKubernetes
@Timeout(90)
class AggregatedApiIT {
  static final String GROUP = "tides.test.sluice.dev";
  private static final String ROOT = "/apis/" + GROUP + "/v1";
  private static final ResourceKind HARBOUR =
      new ResourceKind(GROUP, "v1", "Harbour", "harbours", true);
  private static final ResourceKind TIDE = new ResourceKind(GROUP, "v1", "Tide", "tides", true);

  /** Tells the tide of every harbour but one that is lost. */
  static final ComputedApi TIDES =
      new ComputedApi() {
        @Override
        public String group() {
          return GROUP;
        }

        @Override
        public List<Part> parts() {
          return List.of(new Part(HARBOUR, "tide", TIDE));
        }

        @Override
        public Tree read(Request question) {
          if (question.name().equals("lost")) {
            throw ApiFailure.notFound(HARBOUR.key(question.namespace(), question.name()));
          }
          return Tree.of(
              "apiVersion",
              TIDE.apiVersion(),
              "kind",
              TIDE.kind(),
              "where",
              question.namespace() + "/" + question.name(),
              "when",
              question.parameter("when"));
        }
      };

  private final Kubectl kubectl;
  private final Kubectl ordinary;
  private final RealTime time = new RealTime();
  private final KubernetesCluster cluster;
  private final AggregatedApi api;

  AggregatedApiIT(RealKubernetes kubernetes) {
    this.kubectl = kubernetes.kubectl();
    this.ordinary = kubernetes.kubectlOfOrdinaryUser();
    this.cluster = RealCluster.of(kubernetes.kubeconfig(), time);
    this.api =
        new AggregatedApi(
            cluster.uncached(),
            new AggregatedApi.Settings(
                new HostAndPort("127.0.0.1", 0),
                TlsPolicy.NORMAL,
                ApiAddress.outside("default", URI.create("https://127.0.0.1")).orElseThrow(),
                GROUP,
                List.of("v1"),
                () -> TIDES),
            time);
  }

  @BeforeEach
  void serve() {
    api.serve();
    api.register();
    Eventually.holds("the API is there", () -> read("home").exitCode() == 0);
  }

  @AfterEach
  void close() {
    api.unregister();
    api.close();
    cluster.close();
    time.close();
  }

  @Test
  void theApiServerPassesQuestionsOn() {
    Tree answer = tree(read("home", "?when=noon%20sharp").orFail());

    assertThat(answer.text("where")).isEqualTo("default/home");
    assertThat(answer.text("when")).isEqualTo("noon sharp");
    assertThat(read("lost").error()).contains("harbours.tides.test.sluice.dev \"lost\" not found");
    assertThat(kubectl.run("get", "--raw", ROOT + "/harbours/home/tide").exitCode()).isNotZero();
  }

  @Test
  void unauthorizedReaderIsRefused() {
    String path = ROOT + "/namespaces/default/harbours/home/tide";
    assertThat(ordinary.run("get", "--raw", path).error())
        .contains("Forbidden")
        .contains(
            "User \"ordinary\" cannot get resource \"harbours/tide\" in API group \"" + GROUP);

    String resource = "--resource=harbours.tides.test.sluice.dev/tide";
    kubectl.run("create", "role", "tide", "--verb=get", resource).orFail();
    kubectl.run("create", "rolebinding", "tide", "--role=tide", "--user=ordinary").orFail();

    Eventually.holds("it may", () -> ordinary.run("get", "--raw", path).exitCode() == 0);
    kubectl.run("delete", "role/tide", "rolebinding/tide").orFail();
  }

  @Test
  void kubectlDiscoversIt() {
    Eventually.holds(
        "kubectl knows the kind",
        () ->
            kubectl.run("api-resources", "--api-group=" + GROUP).output().contains("Harbour")
                || kubectl.run("get", "--raw", ROOT).output().contains("harbours/tide"));
    assertThat(tree(kubectl.run("get", "--raw", "/apis/" + GROUP).orFail()).text("name"))
        .isEqualTo(GROUP);
    Eventually.holds(
        "the schema is there",
        () -> kubectl.run("get", "--raw", "/openapi/v3" + ROOT).output().contains("Harbour"));
  }

  @Test
  void stoppedManagerRemovesItsRegistration() {
    api.unregister();

    assertThat(kubectl.run("get", "apiservices,services", "-o", "name").orFail())
        .doesNotContain(GROUP)
        .doesNotContain("sluice-visibility-outside");
  }

  @Test
  void registeringAgainChangesNothing() {
    String before = revisions();

    api.register();

    assertThat(revisions()).isEqualTo(before);
  }

  private String revisions() {
    return Stream.of("apiservice/v1." + GROUP, "service/sluice-visibility-outside")
        .map(one -> kubectl.read(one, "{.metadata.generation}{.spec}"))
        .toList()
        .toString();
  }

  private Kubectl.Result read(String harbour, String... query) {
    String path = ROOT + "/namespaces/default/harbours/" + harbour + "/tide";
    return kubectl.run("get", "--raw", path + String.join("", query));
  }

  private static Tree tree(String json) {
    return Json.parseTree(json.getBytes(StandardCharsets.UTF_8));
  }
}
