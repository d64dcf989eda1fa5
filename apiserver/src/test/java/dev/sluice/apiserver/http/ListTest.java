package dev.sluice.apiserver.http;

import static dev.sluice.apiserver.http.TestServer.CONFIG_MAPS;
import static dev.sluice.apiserver.http.TestServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ListTest {
  private final TestServer server = TestServer.start();
  private String early = "";

  @BeforeAll
  void fill() {
    server.createConfigMap("a", "app", "web");
    early = server.createConfigMap("b", "app", "web");
    server.createConfigMap("c", "app", "db");
    server.createConfigMap("d");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  record Case(String query, int code, String want) {
    @Override
    public String toString() {
      return query.isEmpty() ? "no query" : query;
    }
  }

  /** EARLY stands for the revision at which only a and b existed. */
  List<Case> matrix() {
    return List.of(
        new Case("", 200, "a b c d"),
        new Case("limit=2", 200, "a b +2"),
        new Case("limit=0", 200, "a b c d"),
        new Case("limit=-1", 200, "a b c d"),
        new Case("limit=x", 400, "BadRequest"),
        new Case("resourceVersion=0", 200, "a b c d"),
        new Case("resourceVersion=0&limit=1", 200, "a b c d"),
        new Case("resourceVersion=0&resourceVersionMatch=NotOlderThan", 200, "a b c d"),
        new Case("resourceVersion=0&resourceVersionMatch=Exact", 422, "Invalid"),
        new Case("resourceVersion=EARLY", 200, "a b c d"),
        new Case("resourceVersion=EARLY&limit=1", 200, "a +1"),
        new Case("resourceVersion=EARLY&resourceVersionMatch=NotOlderThan&limit=1", 200, "a +3"),
        new Case("resourceVersion=EARLY&resourceVersionMatch=Exact", 200, "a b"),
        new Case("resourceVersion=EARLY&resourceVersionMatch=Newest", 422, "Invalid"),
        new Case("resourceVersionMatch=Exact", 422, "Invalid"),
        new Case("resourceVersion=abc", 400, "BadRequest"),
        new Case("sendInitialEvents=true&resourceVersionMatch=NotOlderThan", 422, "Invalid"),
        new Case("continue=nonsense", 400, "BadRequest"),
        new Case("labelSelector=app%3Dweb", 200, "a b"),
        new Case("labelSelector=app%3Dweb&limit=1", 200, "a +?"),
        new Case("labelSelector=app%20in%20(web,db)", 200, "a b c"),
        new Case("labelSelector=!app", 200, "d"),
        new Case("labelSelector=app%3D%3D%3D", 400, "BadRequest"),
        new Case("fieldSelector=metadata.name%3Dc", 200, "c"),
        new Case("fieldSelector=metadata.name!%3Dc", 200, "a b d"),
        new Case("fieldSelector=spec.color%3Dred", 400, "BadRequest"),
        new Case("unknown=parameter", 200, "a b c d"));
  }

  @ParameterizedTest
  @MethodSource("matrix")
  void lists(Case c) {
    var response = server.get(CONFIG_MAPS + "?" + c.query().replace("EARLY", early));

    assertThat(response.statusCode()).isEqualTo(c.code());
    assertThat(summary(tree(response))).isEqualTo(c.want());
  }

  private static String summary(Tree list) {
    if (list.text("kind").equals("Status")) {
      return list.text("reason");
    }
    var words = new ArrayList<>(names(list));
    if (list.tree("metadata").has("continue")) {
      var left = list.whole("metadata", "remainingItemCount");
      words.add("+" + (left.isPresent() ? Long.toString(left.getAsLong()) : "?"));
    }
    return String.join(" ", words);
  }

  private static List<String> names(Tree list) {
    return list.trees("items").stream().map(item -> item.text("metadata", "name")).toList();
  }

  @Test
  void pagesShowTheRevisionOfTheFirst() {
    Tree first = server.getTree("/api/v1/configmaps?limit=3");
    server.createConfigMap("bb");
    server.delete(CONFIG_MAPS + "/bb");
    Tree second =
        server.getTree("/api/v1/configmaps?limit=3&continue=" + first.text("metadata", "continue"));

    assertThat(names(first)).containsExactly("a", "b", "c");
    assertThat(names(second)).containsExactly("d");
    assertThat(second.text("metadata", "resourceVersion"))
        .isEqualTo(first.text("metadata", "resourceVersion"));
    assertThat(second.tree("metadata").has("continue")).isFalse();
  }

  @Test
  void itemsOfBuiltInListsLeaveTheirKindToTheList() {
    Tree list = server.getTree(CONFIG_MAPS);

    assertThat(list.text("kind")).isEqualTo("ConfigMapList");
    assertThat(list.trees("items").getFirst().has("kind")).isFalse();
  }

  @Test
  void anExpiredContinueTokenComesWithOneThatWorks() {
    try (var other = TestServer.start()) {
      List.of("a", "b", "c").forEach(other::createConfigMap);
      Tree first = other.getTree(CONFIG_MAPS + "?limit=1");
      other.createConfigMap("d");
      other.store.compact(other.store.snapshot().revision());

      var expired =
          other.get(CONFIG_MAPS + "?limit=9&continue=" + first.text("metadata", "continue"));
      String fresh = tree(expired).text("metadata", "continue");

      assertThat(expired.statusCode()).isEqualTo(410);
      assertThat(tree(expired).text("reason")).isEqualTo("Expired");
      assertThat(names(other.getTree(CONFIG_MAPS + "?limit=9&continue=" + fresh)))
          .containsExactly("b", "c", "d");
      assertThat(
              other.get(CONFIG_MAPS + "?resourceVersion=2&resourceVersionMatch=Exact").statusCode())
          .isEqualTo(410);
    }
  }

  @Test
  void aRevisionFromTheFutureIsWaitedForAndThenRefused() {
    long current = server.store.snapshot().revision();
    var response = server.get(CONFIG_MAPS + "?resourceVersion=" + (current + 1000));

    assertThat(response.statusCode()).isEqualTo(504);
    assertThat(tree(response).text("reason")).isEqualTo("Timeout");
    assertThat(tree(response).trees("details", "causes").getFirst().text("reason"))
        .isEqualTo("ResourceVersionTooLarge");
    assertThat(response.headers().firstValue("Retry-After")).hasValue("1");
  }
}
