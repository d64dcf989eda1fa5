package dev.sluice.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.http.ApiServer.Extras;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.ComputedApi;
import dev.sluice.runtime.ContainerLogs;
import dev.sluice.runtime.ContainerSessions;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Groups whose answers are computed, and metrics. */
final class ComputedApiTest {
  private static final String GROUP = "weather.example.com";
  private static final ResourceKind PLACE = kind("v2", "Place", "places", false);
  private static final ResourceKind HOUSE = kind("v1", "House", "houses", true);
  private static final ResourceKind CLOUD = kind("v2", "Cloud", "clouds", true);
  private static TestServer server;

  private static ResourceKind kind(String version, String kind, String plural, boolean namespaced) {
    return new ResourceKind(GROUP, version, kind, plural, namespaced);
  }

  /** Knows the temperature of every place but the moon. */
  private static final class Weather implements ComputedApi {
    @Override
    public String group() {
      return GROUP;
    }

    @Override
    public List<Part> parts() {
      return List.of(
          new Part(HOUSE, "temperature", kind("v1", "Temperature", "temperatures", true)),
          new Part(PLACE, "temperature", kind("v2", "Temperature", "temperatures", false)),
          Part.whole(CLOUD));
    }

    private static Tree cloud(String name) {
      return ApiObject.of(CLOUD, "n", name).withLabel("color", name).tree();
    }

    @Override
    public Tree read(Request question) {
      if (question.part().isWhole()) {
        return question.name().isEmpty()
            ? Tree.of("kind", "CloudList", "items", List.of(cloud("grey"), cloud("white")))
            : cloud(question.name());
      }
      if (question.name().equals("moon")) {
        throw ApiFailure.notFound(question.part().of().key(question.name()));
      }
      return Tree.of(
          "apiVersion",
          question.part().body().apiVersion(),
          "kind",
          question.part().body().kind(),
          "of",
          question.namespace() + "/" + question.name(),
          "unit",
          question.parameter("unit"));
    }
  }

  @BeforeAll
  static void start() {
    server =
        TestServer.start(
            new Extras(
                List.of(new Weather()),
                () -> "up 1\n",
                ContainerLogs.NONE,
                ContainerSessions.NONE,
                path -> path.equals("/metrics/more") ? Optional.of("more 1\n") : Optional.empty()));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "/apis/weather.example.com/v2/places/here/temperature, 200, /here",
    "/apis/weather.example.com/v1/namespaces/n/houses/h/temperature?unit=K, 200, n/h",
    "/apis/weather.example.com/v2/places/moon/temperature, 404, ''",
    "/apis/weather.example.com/v1/places/here/temperature, 404, ''",
    "/apis/weather.example.com/v2/places/here, 404, ''",
    "/apis/weather.example.com/v2/places, 404, ''",
    "/apis/weather.example.com/v1/houses/h/temperature, 404, ''",
    "/apis/weather.example.com/v3/places/here/temperature, 404, ''",
  })
  void aPathLeadsToAnAnswer(String path, int code, String of) {
    var response = server.get(path);

    assertThat(response.statusCode()).isEqualTo(code);
    if (code == 200) {
      assertThat(TestServer.tree(response).text("of")).isEqualTo(of);
      assertThat(TestServer.tree(response).text("unit")).isEqualTo(path.contains("K") ? "K" : "");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/apis/weather.example.com/v2/clouds, 200, 2",
    "/apis/weather.example.com/v2/namespaces/n/clouds, 200, 2",
    "/apis/weather.example.com/v2/clouds?labelSelector=color%3Dgrey, 200, 1",
    "/apis/weather.example.com/v2/clouds?labelSelector=%3D, 400, 0",
    "/apis/weather.example.com/v2/clouds?fieldSelector=metadata.name%3Dgrey, 400, 0",
    "/apis/weather.example.com/v2/clouds/grey, 404, 0",
    "/apis/weather.example.com/v2/clouds?watch=true, 405, 0",
  })
  void objectsThemselvesCanBeListed(String path, int code, int count) {
    var response = server.get(path);

    assertThat(response.statusCode()).isEqualTo(code);
    assertThat(TestServer.tree(response).trees("items")).hasSize(count);
  }

  @Test
  void singleObjectCanBeRead() {
    var response = server.get("/apis/weather.example.com/v2/namespaces/n/clouds/grey");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(TestServer.tree(response).text("metadata", "name")).isEqualTo("grey");
  }

  @Test
  void morePagesOfMetricsHavePathsOfTheirOwn() {
    assertThat(server.get("/metrics/more").body()).isEqualTo("more 1\n");
    assertThat(server.get("/metrics/none").statusCode()).isEqualTo(404);
  }

  @Test
  void nothingCanBeWritten() {
    assertThat(
            server
                .put("/apis/weather.example.com/v2/places/here/temperature", Tree.EMPTY)
                .statusCode())
        .isEqualTo(405);
  }

  @Test
  void strangersAreRefused() {
    var stranger = server.client(Optional.empty(), HttpClient.Version.HTTP_1_1);

    for (String path : List.of("/metrics", "/apis/" + GROUP + "/v2/places/here/temperature")) {
      assertThat(TestServer.send(stranger, server.request(path)).statusCode()).isIn(401, 403);
    }
  }

  @Test
  void discoveryListsTheGroupWithItsVersionsAndParts() {
    assertThat(server.getTree("/apis/" + GROUP).trees("versions"))
        .extracting(version -> version.text("version"))
        .containsExactly("v2", "v1");
    assertThat(server.getTree("/apis/" + GROUP + "/v2").trees("resources"))
        .extracting(resource -> resource.text("name"))
        .containsExactly("clouds", "places", "places/temperature");
    assertThat(server.get("/apis").body()).contains(GROUP);
    assertThat(server.get("/openapi/v3/apis/" + GROUP + "/v2").statusCode()).isEqualTo(200);
  }

  @Test
  void metricsAreTextForPrometheus() {
    var response = server.get("/metrics");

    assertThat(response.body()).isEqualTo("up 1\n");
    assertThat(response.headers().firstValue("Content-Type"))
        .hasValue("text/plain; version=0.0.4; charset=utf-8");
  }
}
