package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.runtime.ObjectEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class KindCacheTest {

  /** What happens to the cache, what it tells of it, and what it shows in the end. */
  record Case(String name, Consumer<World> steps, List<String> wantTold, List<String> wantShown) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case(
              "the watch alone",
              world -> {
                world.shows("a", "1", 5);
                world.shows("a", "1", 7);
                world.showsGone("a", "1", 9);
              },
              List.of("ADDED a/1@5", "MODIFIED a/1@7 was 5", "DELETED a/1@9 was 7"),
              List.of()),
          new Case(
              "an answer is shown at once and told once",
              world -> {
                world.answers("a", "1", 5);
                world.shows("a", "1", 5);
              },
              List.of("ADDED a/1@5"),
              List.of("a/1@5")),
          new Case(
              "the watch never goes back behind an answer",
              world -> {
                world.shows("a", "1", 5);
                world.answers("a", "1", 10);
                world.shows("a", "1", 8);
              },
              List.of("ADDED a/1@5", "MODIFIED a/1@10 was 5"),
              List.of("a/1@10")),
          new Case(
              "revisions are numbers, not texts",
              world -> {
                world.shows("a", "1", 99);
                world.shows("a", "1", 100);
                world.answers("a", "1", 99);
              },
              List.of("ADDED a/1@99", "MODIFIED a/1@100 was 99"),
              List.of("a/1@100")),
          new Case(
              "an answer that is overtaken by the watch changes nothing",
              world -> {
                world.shows("a", "1", 12);
                world.answers("a", "1", 10);
              },
              List.of("ADDED a/1@12"),
              List.of("a/1@12")),
          new Case(
              "a late event does not bring back what was deleted",
              world -> {
                world.shows("a", "1", 5);
                world.answersGone("a", "1");
                world.shows("a", "1", 8);
                world.showsGone("a", "1", 9);
              },
              List.of("ADDED a/1@5", "DELETED a/1@5 was 5"),
              List.of()),
          new Case(
              "a late answer does not bring back what the watch saw go",
              world -> {
                world.shows("a", "1", 5);
                var late = world.writes.begin();
                world.showsGone("a", "1", 9);
                world.cache.answered(late, object("a", "1", 8));
              },
              List.of("ADDED a/1@5", "DELETED a/1@9 was 5"),
              List.of()),
          new Case(
              "a new object in place of an old one, answered before the old one is seen to go",
              world -> {
                world.shows("a", "1", 5);
                world.answers("a", "2", 10);
                world.shows("a", "1", 8);
                world.showsGone("a", "1", 9);
                world.shows("a", "2", 10);
              },
              List.of("ADDED a/1@5", "DELETED a/1@5 was 5", "ADDED a/2@10"),
              List.of("a/2@10")),
          new Case(
              "replaced and deleted before the watch tells of any of it",
              world -> {
                world.shows("a", "1", 5);
                world.answers("a", "2", 10);
                world.answersGone("a", "2");
                world.shows("a", "1", 8);
                world.showsGone("a", "1", 9);
                world.shows("a", "2", 10);
                world.showsGone("a", "2", 11);
              },
              List.of(
                  "ADDED a/1@5", "DELETED a/1@5 was 5", "ADDED a/2@10", "DELETED a/2@10 was 10"),
              List.of()),
          new Case(
              "a list shows a new object in place of an old one",
              world -> {
                world.shows("a", "1", 5);
                world.shows("a", "2", 20);
                world.cache.shownAll("20");
              },
              List.of("ADDED a/1@5", "DELETED a/1@5 was 5", "ADDED a/2@20"),
              List.of("a/2@20")),
          new Case(
              "a list that lacks it knows only an old revision of what is gone",
              world -> {
                world.shows("a", "1", 5);
                world.answers("a", "1", 7);
                world.showsGone("a", "1", 5);
              },
              List.of("ADDED a/1@5", "MODIFIED a/1@7 was 5", "DELETED a/1@7 was 7"),
              List.of()),
          new Case(
              "what only an answer showed is gone if a later list lacks it",
              world -> {
                world.answers("a", "1", 5);
                world.answers("b", "2", 30);
                world.cache.shownAll("20");
              },
              List.of("ADDED a/1@5", "ADDED b/2@30", "DELETED a/1@5 was 5"),
              List.of("b/2@30")),
          new Case(
              "an answer that a list should have shown is not believed",
              world -> {
                world.cache.shownAll("20");
                world.answers("a", "1", 15);
                world.answers("b", "2", 21);
              },
              List.of("ADDED b/2@21"),
              List.of("b/2@21")));

  @ParameterizedTest
  @FieldSource("CASES")
  void keepsOrder(Case c) {
    var world = new World();

    c.steps().accept(world);

    assertThat(world.told).isEqualTo(c.wantTold());
    assertThat(world.cache.list().stream().map(KindCacheTest::named)).isEqualTo(c.wantShown());
  }

  @Test
  void remembersADeletionOnlyUntilTheWatchConfirmsIt() {
    var world = new World();
    world.shows("a", "1", 5);

    world.answersGone("a", "1");
    assertThat(world.cache.awaitedDeletions()).isEqualTo(1);
    world.showsGone("a", "1", 6);

    assertThat(world.cache.awaitedDeletions()).isZero();
  }

  @Test
  void forgetsADeletionThatTheWatchMissedAfterTwoLists() {
    var world = new World();
    world.shows("a", "1", 5);
    world.answersGone("a", "1");

    world.cache.shownAll("10");
    assertThat(world.cache.awaitedDeletions()).isEqualTo(1);
    world.cache.shownAll("20");

    assertThat(world.cache.awaitedDeletions()).isZero();
  }

  @Test
  void doesNotRememberADeletionThatTheWatchConfirmedFirst() {
    var world = new World();
    world.shows("a", "1", 5);
    var write = world.writes.begin();

    world.showsGone("a", "1", 6);
    world.cache.answeredGone(write, Kinds.CONFIG_MAP.key("default", "a"), "1");

    assertThat(world.cache.awaitedDeletions()).isZero();
    assertThat(world.told).containsExactly("ADDED a/1@5", "DELETED a/1@6 was 5");
  }

  @Test
  void listsByNamespaceAndName() {
    var world = new World();
    for (String path : List.of("b/x", "a/z", "ab/a", "a/b", "a-b/c")) {
      int slash = path.indexOf('/');
      world.cache.shown(
          ApiObject.of(Kinds.CONFIG_MAP, path.substring(0, slash), path.substring(slash + 1))
              .withMetadata("uid", path)
              .withMetadata("resourceVersion", "1"));
    }

    assertThat(world.cache.list().stream().map(ApiObject::path))
        .containsExactly("a/b", "a/z", "a-b/c", "ab/a", "b/x");
    assertThat(world.cache.list("a").stream().map(ApiObject::path)).containsExactly("a/b", "a/z");
    assertThat(world.cache.list("c")).isEmpty();
  }

  @Test
  void showsAChangeBeforeItIsTold() {
    var shown = new ArrayList<List<String>>();
    var holder = new ArrayList<KindCache>();
    holder.add(
        new KindCache(
            Kinds.CONFIG_MAP,
            new InFlightWrites(),
            event ->
                shown.add(holder.getFirst().list().stream().map(KindCacheTest::named).toList())));

    holder.getFirst().shown(object("a", "1", 5));
    holder.getFirst().shown(object("a", "1", 6));
    holder.getFirst().shownGone(object("a", "1", 7));

    assertThat(shown).containsExactly(List.of("a/1@5"), List.of("a/1@6"), List.of());
  }

  static final class World {
    final List<String> told = new ArrayList<>();
    final InFlightWrites writes = new InFlightWrites();
    final KindCache cache = new KindCache(Kinds.CONFIG_MAP, writes, event -> told.add(said(event)));

    void shows(String name, String uid, long revision) {
      cache.shown(object(name, uid, revision));
    }

    void showsGone(String name, String uid, long revision) {
      cache.shownGone(object(name, uid, revision));
    }

    void answers(String name, String uid, long revision) {
      try (var write = writes.begin()) {
        cache.answered(write, object(name, uid, revision));
      }
    }

    void answersGone(String name, String uid) {
      try (var write = writes.begin()) {
        cache.answeredGone(write, Kinds.CONFIG_MAP.key("default", name), uid);
      }
    }

    private static String said(ObjectEvent event) {
      String was = event.before().map(before -> " was " + before.resourceVersion()).orElse("");
      return event.type() + " " + named(event.object()) + was;
    }
  }

  private static ApiObject object(String name, String uid, long revision) {
    return ApiObject.of(Kinds.CONFIG_MAP, "default", name)
        .withMetadata("uid", uid)
        .withMetadata("resourceVersion", Long.toString(revision));
  }

  private static String named(ApiObject object) {
    return object.name() + "/" + object.uid() + "@" + object.resourceVersion();
  }
}
