package dev.sluice.apiserver.http.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.http.PodServer;
import dev.sluice.apiserver.http.TestServer;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.ContainerLogs;
import dev.sluice.runtime.ContainerSessions;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class LogEndpointTest {
  private static PodServer pods;

  /** Repeats the question. */
  private static final class Echo implements ContainerLogs {
    @Override
    public boolean keeps(String node) {
      return node.equals("local");
    }

    @Override
    public boolean has(LogRequest question) {
      return !question.previous() && !question.container().equals("late");
    }

    @Override
    public void copy(LogRequest question, Sink sink) throws IOException {
      String text =
          "%s %s lines=%s bytes=%s since=%s timestamps=%s follow=%s"
              .formatted(
                  question.container(),
                  question.stream(),
                  question.lines(),
                  question.bytes(),
                  question.since().map(Object::toString).orElse(""),
                  question.timestamps(),
                  question.follow());
      sink.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  @BeforeAll
  static void start() {
    pods = new PodServer(new Echo(), ContainerSessions.NONE);
    pods.create(
        "two",
        "nodeName: local, initContainers: [{name: init, image: b}],"
            + " containers: [{name: a, image: b}, {name: b, image: b}]");
    late("waits", "{containerStatuses: [{name: late, state: {waiting: {reason: Why}}}]}");
    late("refused", "{phase: Failed, message: cannot be had}");
  }

  /** A pod of which nothing has run. */
  private static void late(String name, String status) {
    pods.create(name, "nodeName: local, containers: [{name: late, image: b}]");
    String patch = Yaml.parseAll("{status: %s}".formatted(status)).getFirst().toString();
    HttpResponse<String> response =
        pods.server.patch(
            PodServer.PODS + "/" + name + "/status", "application/merge-patch+json", patch);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
  }

  @AfterAll
  static void stop() {
    pods.close();
  }

  @Test
  void thePartsOfTheQuestionReachTheNode() {
    HttpResponse<String> response =
        pods.get(
            "/one/log?tailLines=3&limitBytes=9&timestamps=true&stream=Stderr"
                + "&sinceTime=2030-01-01T00:00:00Z");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).contains("text/plain");
    assertThat(response.body())
        .isEqualTo(
            "main stderr lines=OptionalLong[3] bytes=OptionalLong[9] since=2030-01-01T00:00:00Z"
                + " timestamps=true follow=false");
  }

  record Case(String path, int code, String want) {}

  static final List<Case> CASES =
      List.of(
          new Case("/two/log?container=init", 200, "init "),
          new Case("/unbound/log", 204, ""),
          new Case("/nobody/log", 404, "pods \"nobody\" not found"),
          new Case(
              "/two/log",
              400,
              "a container name must be specified for pod two, choose one of: [a b] or one of the"
                  + " init containers: [init]"),
          new Case("/one/log?container=x", 400, "container x is not valid for pod one"),
          new Case(
              "/one/log?previous=true",
              400,
              "previous terminated container \"main\" in pod \"one\" not found"),
          new Case(
              "/waits/log", 400, "container \"late\" in pod \"waits\" is waiting to start: Why"),
          new Case(
              "/refused/log",
              400,
              "container \"late\" in pod \"refused\" has never run: cannot be had"),
          new Case("/elsewhere/log", 500, "node fake keeps no logs"),
          new Case("/one/log?tailLines=-1", 422, "tailLines: Invalid value"),
          new Case("/one/log?limitBytes=0", 422, "limitBytes: Invalid value"),
          new Case("/one/log?sinceSeconds=0", 422, "sinceSeconds: Invalid value"),
          new Case("/one/log?sinceSeconds=" + Long.MIN_VALUE, 422, "sinceSeconds: Invalid value"),
          new Case("/one/log?sinceSeconds=" + Long.MAX_VALUE, 200, "since=1970-01-01T00:00:00"),
          new Case(
              "/one/log?sinceSeconds=1&sinceTime=2030-01-01T00:00:00Z",
              422,
              "at most one of sinceTime or sinceSeconds"),
          new Case("/one/log?stream=none", 422, "stream: Unsupported value"));

  @ParameterizedTest
  @FieldSource("CASES")
  void eachQuestionGetsItsAnswer(Case c) {
    HttpResponse<String> response = pods.get(c.path());

    assertThat(response.statusCode()).as(response.body()).isEqualTo(c.code());
    String text = c.code() < 400 ? response.body() : TestServer.tree(response).text("message");
    assertThat(text).contains(c.want());
  }

  @Test
  void strangersReadNothing() {
    var stranger = pods.server.client(Optional.empty(), HttpClient.Version.HTTP_1_1);
    var request = pods.server.request(PodServer.PODS + "/one/log");

    assertThat(TestServer.send(stranger, request).statusCode()).isIn(401, 403);
  }
}
