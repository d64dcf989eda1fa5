package dev.sluice.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.SampleEvent;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Events through both groups that serve them: listed, selected, printed and watched. */
class EventGroupsTest {
  private static final String GROUPED = "/apis/events.k8s.io/v1/namespaces/default/events";
  private static final String CORE = "/api/v1/namespaces/default/events";

  private final TestServer server = TestServer.start();

  @BeforeEach
  void tell() {
    assertThat(server.post(GROUPED, SampleEvent.TREE).statusCode()).isEqualTo(201);
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void eachListSpeaksOfItsOwnGroup() {
    Tree grouped = server.getTree(GROUPED);
    Tree core = server.getTree(CORE);

    assertThat(grouped.text("apiVersion")).isEqualTo("events.k8s.io/v1");
    assertThat(grouped.trees("items").getFirst().text("note")).isEqualTo("hello");
    assertThat(core.text("apiVersion")).isEqualTo("v1");
    assertThat(core.trees("items").getFirst().text("message")).isEqualTo("hello");
  }

  record Case(String path, String selector, int want) {}

  @Test
  void eachSelectsByItsOwnFields() {
    for (Case c :
        List.of(
            new Case(GROUPED, "regarding.name%3Dp", 1),
            new Case(GROUPED, "regarding.kind%3DNode", 0),
            new Case(GROUPED, "reportingController%3Dexample.com/x", 1),
            new Case(CORE, "involvedObject.name%3Dp", 1),
            new Case(CORE, "reportingComponent%3Dexample.com/x", 1))) {
      assertThat(server.getTree(c.path() + "?fieldSelector=" + c.selector()).trees("items"))
          .as(c.toString())
          .hasSize(c.want());
    }
    assertThat(server.get(GROUPED + "?fieldSelector=involvedObject.name%3Dp").statusCode())
        .isEqualTo(400);
    assertThat(server.get(CORE + "?fieldSelector=regarding.name%3Dp").statusCode()).isEqualTo(400);
  }

  @Test
  void bothPrintTheSameRow() {
    assertThat(row(GROUPED)).isEqualTo(row(CORE)).contains("pod/p", "hello", "example.com/x, x-1");
  }

  private List<String> row(String path) {
    Tree table =
        TestServer.tree(
            server.send(
                server
                    .request(path)
                    .header("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")));
    List<String> cells =
        table.trees("rows").getFirst().items("cells").stream().map(Object::toString).toList();
    // The first column is an age.
    return cells.subList(1, cells.size()).stream().map(EventGroupsTest::plain).toList();
  }

  private static String plain(String cell) {
    return cell.replace("\"", "");
  }

  @Test
  void aWatchOfOneGroupSeesWhatTheOtherWrites() {
    try (var watch = WatchReader.of(server, GROUPED + "?watch=1&resourceVersion=0")) {
      assertThat(watch.next().tree("object").text("note")).isEqualTo("hello");
      server.delete(CORE + "/e");
      Tree gone = watch.next();
      assertThat(gone.text("type")).isEqualTo("DELETED");
      assertThat(gone.tree("object").text("apiVersion")).isEqualTo("events.k8s.io/v1");
    }
  }
}
