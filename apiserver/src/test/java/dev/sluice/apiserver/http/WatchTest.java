package dev.sluice.apiserver.http;

import static dev.sluice.apiserver.http.TestServer.CONFIG_MAPS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.apiserver.http.limit.Limits;
import dev.sluice.model.tree.Tree;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

@Timeout(60)
class WatchTest {
  private static final String WATCH = CONFIG_MAPS + "?watch=true";
  private static final String MERGE = "application/merge-patch+json";

  private final SteppedTime time = new SteppedTime();
  private final TestServer server = TestServer.start(Optional.of(time), Limits.NORMAL);

  @AfterEach
  void stop() {
    server.close();
  }

  /** What a watch tells of two objects and one that is created after it began. */
  record Case(String query, List<String> want) {
    @Override
    public String toString() {
      return query.isEmpty() ? "no query" : query;
    }
  }

  static final String LIST_WATCH = "&resourceVersionMatch=NotOlderThan&sendInitialEvents=";

  static final List<Case> MATRIX =
      List.of(
          new Case("", List.of("ADDED a", "ADDED b", "ADDED late")),
          new Case("&resourceVersion=0", List.of("ADDED a", "ADDED b", "ADDED late")),
          new Case(
              "&allowWatchBookmarks=true", List.of("ADDED a", "ADDED b", "BOOKMARK", "ADDED late")),
          new Case("&resourceVersion=FIRST", List.of("ADDED b", "ADDED late")),
          new Case(
              LIST_WATCH + "true&allowWatchBookmarks=true",
              List.of("ADDED a", "ADDED b", "BOOKMARK", "ADDED late")),
          new Case(
              LIST_WATCH + "true&allowWatchBookmarks=true&resourceVersion=FIRST",
              List.of("ADDED a", "ADDED b", "BOOKMARK", "ADDED late")),
          new Case(
              LIST_WATCH + "true&allowWatchBookmarks=true&labelSelector=none%3Dsuch",
              List.of("BOOKMARK")),
          new Case(LIST_WATCH + "false", List.of("ADDED late")),
          new Case(LIST_WATCH + "false&resourceVersion=FIRST", List.of("ADDED b", "ADDED late")),
          new Case("&fieldSelector=metadata.name%3Dlate", List.of("ADDED late")));

  @ParameterizedTest
  @FieldSource("MATRIX")
  void beginsAsAsked(Case c) {
    String first = server.createConfigMap("a");
    server.createConfigMap("b");

    try (var watch = WatchReader.of(server, WATCH + c.query().replace("FIRST", first))) {
      server.createConfigMap("late");

      assertThat(watch.code()).isEqualTo(200);
      assertThat(watch.told(c.want().size())).isEqualTo(c.want());
    }
  }

  record Refused(String query, int code) {}

  static final List<Refused> REFUSED =
      List.of(
          new Refused("&sendInitialEvents=true", 422),
          new Refused("&resourceVersionMatch=NotOlderThan", 422),
          new Refused("&resourceVersion=abc", 400),
          new Refused("&labelSelector=a%3D%3D%3D", 400));

  @ParameterizedTest
  @FieldSource("REFUSED")
  void refusesWhatMakesNoSense(Refused c) {
    assertThat(server.get(WATCH + c.query()).statusCode()).isEqualTo(c.code());
  }

  @Test
  void theBookmarkAfterTheInitialEventsIsMarked() {
    server.createConfigMap("a");

    try (var watch = WatchReader.of(server, WATCH + "&allowWatchBookmarks=true")) {
      watch.next();
      Tree bookmark = watch.next().tree("object");

      assertThat(bookmark.text("kind")).isEqualTo("ConfigMap");
      assertThat(bookmark.text("metadata", "annotations", "k8s.io/initial-events-end"))
          .isEqualTo("true");
      assertThat(bookmark.text("metadata", "resourceVersion"))
          .isEqualTo(Long.toString(server.store.snapshot().revision()));
    }
  }

  @Test
  void tellsOfEveryChangeWithItsRevision() {
    String created = server.createConfigMap("a");
    try (var watch = WatchReader.of(server, WATCH + "&resourceVersion=" + created)) {
      server.patch(CONFIG_MAPS + "/a", MERGE, "{\"data\":{\"key\":\"other\"}}");
      server.patch(CONFIG_MAPS + "/a", MERGE, "{\"data\":{\"key\":\"other\"}}");
      server.delete(CONFIG_MAPS + "/a");

      assertThat(watch.told()).isEqualTo("MODIFIED a");
      Tree deleted = watch.next();
      assertThat(deleted.text("type")).isEqualTo("DELETED");
      assertThat(deleted.text("object", "data", "key")).isEqualTo("other");
      assertThat(deleted.text("object", "metadata", "resourceVersion"))
          .isEqualTo(Long.toString(server.store.snapshot().revision()));
    }
  }

  @Test
  void objectsEnterAndLeaveASelection() {
    server.createConfigMap("a", "app", "web");
    try (var watch = WatchReader.of(server, WATCH + "&labelSelector=app%3Dweb")) {
      server.createConfigMap("b", "app", "db");
      server.patch(CONFIG_MAPS + "/b", MERGE, "{\"metadata\":{\"labels\":{\"app\":\"web\"}}}");
      server.patch(CONFIG_MAPS + "/a", MERGE, "{\"metadata\":{\"labels\":{\"app\":\"db\"}}}");

      assertThat(watch.told(2)).containsExactly("ADDED a", "ADDED b");
      Tree left = watch.next();
      assertThat(left.text("type")).isEqualTo("DELETED");
      assertThat(left.text("object", "metadata", "labels", "app")).isEqualTo("web");
      assertThat(left.text("object", "metadata", "resourceVersion"))
          .isEqualTo(Long.toString(server.store.snapshot().revision()));
    }
  }

  @Test
  void aRevisionThatIsTooOldIsAnErrorEvent() {
    server.createConfigMap("a");
    server.store.compact(server.store.snapshot().revision());

    try (var watch = WatchReader.of(server, WATCH + "&resourceVersion=1")) {
      Tree error = watch.next();

      assertThat(watch.code()).isEqualTo(200);
      assertThat(error.text("type")).isEqualTo("ERROR");
      assertThat(error.text("object", "reason")).isEqualTo("Expired");
      assertThat(error.whole("object", "code")).hasValue(410);
      assertThat(watch.told()).isEqualTo("end");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpClient.Version.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void endsCleanlyAtItsTimeout(HttpClient.Version version) {
    var client = server.client(Optional.of(server.certificates.admin()), version);
    String query = "&timeoutSeconds=10&allowWatchBookmarks=true&resourceVersion=1";
    try (var watch = new WatchReader(client, server.request(WATCH + query))) {
      awaitTask(Duration.ofSeconds(10));
      time.advance(Duration.ofSeconds(10));

      assertThat(watch.told(2)).containsExactly("BOOKMARK", "end");
    }
  }

  @Test
  void bookmarksMoveOnWhileNothingHappensToTheKind() {
    String query = "&allowWatchBookmarks=true&resourceVersion=1";
    try (var watch = WatchReader.of(server, WATCH + query)) {
      awaitTask(Duration.ofMinutes(1));
      server.post(
          "/api/v1/namespaces",
          Tree.of("apiVersion", "v1", "kind", "Namespace", "metadata", Tree.of("name", "other")));
      time.advance(Duration.ofMinutes(1));
      Tree first = watch.next();
      awaitTask(Duration.ofMinutes(1));
      server.createConfigMap("a");
      time.advance(Duration.ofMinutes(1));

      assertThat(first.text("type")).isEqualTo("BOOKMARK");
      assertThat(revision(first)).isEqualTo(server.store.snapshot().revision() - 1);
      assertThat(watch.told()).isEqualTo("ADDED a");
      Tree second = watch.next();
      assertThat(second.text("type")).isEqualTo("BOOKMARK");
      assertThat(revision(second)).isEqualTo(server.store.snapshot().revision());
    }
  }

  private static long revision(Tree event) {
    return Long.parseLong(event.text("object", "metadata", "resourceVersion"));
  }

  /** Waits until the server waits. */
  private void awaitTask(Duration within) {
    while (!time.waitsWithin(within)) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aTableDescribesItsColumnsOnce() {
    server.createConfigMap("a");
    server.createConfigMap("b");
    var request =
        server.request(WATCH).header("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io");

    try (var watch = new WatchReader(server.admin(), request)) {
      Tree first = watch.next().tree("object");
      Tree second = watch.next().tree("object");

      assertThat(first.text("kind")).isEqualTo("Table");
      assertThat(first.trees("columnDefinitions")).isNotEmpty();
      assertThat(second.items("columnDefinitions")).isEmpty();
      assertThat(second.trees("rows").getFirst().items("cells").getFirst().asText()).isEqualTo("b");
    }
  }

  @Test
  void anOldWatchPathWatchesOneObject() {
    server.createConfigMap("a");
    server.createConfigMap("b");

    try (var watch = WatchReader.of(server, "/api/v1/watch/namespaces/default/configmaps/b")) {
      assertThat(watch.told()).isEqualTo("ADDED b");
    }
  }

  @Test
  void yamlIsRefused() {
    var response = server.send(server.request(WATCH).header("Accept", "application/yaml"));

    assertThat(response.statusCode()).isEqualTo(406);
  }

  @Test
  void webSocketRequestIsRefusedAtOnce() {
    var uri = URI.create("wss://127.0.0.1:" + server.server.port() + WATCH);

    assertThatThrownBy(() ->
            server
                .admin()
                .newWebSocketBuilder()
                .buildAsync(uri, new WebSocket.Listener() {})
                .join())
        .cause()
        .isInstanceOfSatisfying(
            WebSocketHandshakeException.class,
            refused -> assertThat(refused.getResponse().statusCode()).isEqualTo(200));
  }

  @Test
  void closingTheServerEndsWatches() {
    try (var watch = WatchReader.of(server, WATCH + "&resourceVersion=1")) {
      server.server.close();

      assertThat(watch.told()).isEqualTo("end");
    }
  }
}
