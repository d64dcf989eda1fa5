package dev.sluice.kubernetes.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.security.CertificateAuthority;
import dev.sluice.kubernetes.serving.WebServer.Asked;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.ComputedApi;
import dev.sluice.runtime.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Who is believed to be an API server, and what those for whom it asks are told. */
class FrontProxyTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final CertificateAuthority OURS = CertificateAuthority.create(NOW);
  private static final CertificateAuthority FOREIGN = CertificateAuthority.create(NOW);
  private static final List<X509Certificate> PROXY = issued(OURS, "front-proxy");
  private static final FrontProxy TRUST =
      FrontProxy.read(
          ApiObject.of(
              Tree.of(
                  "data",
                  Tree.of(
                      "requestheader-client-ca-file",
                      OURS.credential().certificatePem(),
                      "requestheader-allowed-names",
                      "[\"front-proxy\"]",
                      "requestheader-username-headers",
                      "[\"X-Remote-User\"]",
                      "requestheader-group-headers",
                      "[\"X-Remote-Group\"]",
                      "requestheader-extra-headers-prefix",
                      "[\"X-Remote-Extra-\"]"))));

  private static List<X509Certificate> issued(CertificateAuthority authority, String name) {
    return List.of(authority.issueClient(name, "any", NOW).certificate());
  }

  /** A request as a test makes it. */
  record Request(
      String method,
      String path,
      String query,
      Map<String, List<String>> sent,
      List<X509Certificate> certificates)
      implements Asked {
    @Override
    public List<String> headers(String name) {
      return sent.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
    }

    @Override
    public SortedSet<String> headerNames() {
      return new TreeSet<>(sent.keySet());
    }

    @Override
    public byte[] body(int limit) {
      return new byte[0];
    }
  }

  private static Request get(String path, List<X509Certificate> certificates) {
    var headers = new TreeMap<String, List<String>>();
    headers.put("x-remote-user", List.of("ann"));
    headers.put("x-remote-group", List.of("users", "a,b"));
    headers.put("x-remote-extra-example.com%2fteam", List.of("red"));
    return new Request("GET", path, "limit=2", headers, certificates);
  }

  record Case(String name, List<X509Certificate> certificates, Instant now, boolean want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("the API server", PROXY, NOW, true),
          new Case("nobody shows a certificate", List.of(), NOW, false),
          new Case("another name of the same authority", issued(OURS, "ann"), NOW, false),
          new Case("the right name of another one", issued(FOREIGN, "front-proxy"), NOW, false),
          new Case(
              "a server's certificate",
              List.of(OURS.issueServer(List.of("front-proxy"), List.of(), NOW).certificate()),
              NOW,
              false),
          new Case("the authority itself", List.of(OURS.credential().certificate()), NOW, false),
          new Case("too late", PROXY, NOW.plus(Duration.ofDays(400)), false));

  @ParameterizedTest
  @FieldSource("CASES")
  void believes(Case c) {
    assertThat(TRUST.caller(get("/", c.certificates()), c.now()).isPresent()).isEqualTo(c.want());
    assertThat(FrontProxy.UNKNOWN.caller(get("/", c.certificates()), c.now())).isEmpty();
  }

  @Test
  void readsForWhomItIsAsked() {
    Caller caller = TRUST.caller(get("/", PROXY), NOW).orElseThrow();

    assertThat(caller.user()).isEqualTo("ann");
    assertThat(caller.groups()).containsExactly("users", "a,b");
    assertThat(caller.extra()).containsExactly(Map.entry("example.com/team", List.of("red")));
    var nobody = new Request("GET", "/", "", Map.of(), PROXY);
    assertThat(TRUST.caller(nobody, NOW)).isEqualTo(Optional.empty());
  }

  private static final ResourceKind HARBOUR =
      new ResourceKind("sea", "v1", "Harbour", "harbours", true);
  private static final ComputedApi API =
      new ComputedApi() {
        @Override
        public String group() {
          return "sea";
        }

        @Override
        public List<Part> parts() {
          return List.of(
              new Part(HARBOUR, "tide", new ResourceKind("sea", "v1", "Tide", "tides", true)));
        }

        @Override
        public Tree read(ComputedApi.Request question) {
          return Tree.of(
              "where",
              question.namespace() + "/" + question.name(),
              "limit",
              question.parameter("limit"));
        }
      };

  private final ComputedPages pages =
      new ComputedPages(
          () -> API,
          () -> TRUST,
          (caller, access, version) -> {
            if (access.namespace().equals("secret")) {
              throw ApiFailure.because(
                  ApiFailure.Reason.FORBIDDEN,
                  caller.user() + " may not " + access.verb() + " " + access.subresource());
            }
          },
          new VirtualTime(NOW));

  private String answer(Request request) {
    WebServer.Reply answer = pages.answer(request);
    return answer.code() + " " + new String(answer.body(), StandardCharsets.UTF_8);
  }

  @Test
  void answersThoseWhoMayAsk() {
    String path = "/apis/sea/v1/namespaces/%s/harbours/home/tide";

    assertThat(answer(get(path.formatted("bay"), PROXY)))
        .isEqualTo("200 {\"limit\":\"2\",\"where\":\"bay/home\"}");
    assertThat(answer(get(path.formatted("bay"), List.of()))).startsWith("401 ");
    assertThat(answer(get("/healthz", List.of()))).isEqualTo("200 ok");
    assertThat(answer(get(path.formatted("secret"), PROXY)))
        .startsWith("403 ")
        .contains("ann may not get tide");
    for (String wrong :
        List.of("/", "/apis/sea/v1/harbours/home/tide", "/apis/sea/v1/namespaces/bay/harbours")) {
      assertThat(answer(get(wrong, PROXY))).startsWith("404 ");
    }
    var post = new Request("POST", path.formatted("bay"), "", get("/", PROXY).sent(), PROXY);
    assertThat(answer(post)).startsWith("405 ");
    var malformed = new Request("GET", path.formatted("bay"), "a=%z", post.sent(), PROXY);
    assertThat(answer(malformed)).startsWith("400 ").contains("%z");
  }

  @Test
  void saysWhatThereIs() {
    assertThat(answer(get("/apis", PROXY))).contains("APIGroupList");
    assertThat(answer(get("/apis/sea", PROXY))).contains("\"preferredVersion\"");
    assertThat(answer(get("/apis/sea/v1", PROXY))).contains("harbours/tide");
    assertThat(answer(get("/openapi/v2", PROXY))).contains("swagger");
    assertThat(answer(get("/openapi/v3", PROXY))).contains("/openapi/v3/apis/sea/v1?hash=");
    assertThat(answer(get("/openapi/v3/apis/sea/v1", PROXY))).contains("Harbour");

    var headers = new TreeMap<>(get("/", PROXY).sent());
    headers.put(
        "accept",
        List.of(
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
                + " application/json"));
    WebServer.Reply whole = pages.answer(new Request("GET", "/apis", "", headers, PROXY));
    assertThat(whole.type()).contains("as=APIGroupDiscoveryList");
    assertThat(Json.parseTree(whole.body()).text("kind")).isEqualTo("APIGroupDiscoveryList");
  }
}
