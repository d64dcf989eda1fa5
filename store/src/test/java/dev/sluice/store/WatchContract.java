package dev.sluice.store;

import static dev.sluice.store.Samples.JOBS;
import static dev.sluice.store.Samples.OLD_JOBS;
import static dev.sluice.store.Samples.OTHER_JOBS;
import static dev.sluice.store.Samples.PODS;
import static dev.sluice.store.Samples.add;
import static dev.sluice.store.Samples.object;
import static dev.sluice.store.Samples.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every store promises of its watches. */
@Timeout(60)
abstract class WatchContract extends WithStore {
  private static List<Long> revisions(List<Change> changes) {
    return changes.stream().map(Change::revision).toList();
  }

  @Test
  void historyComesFirstThenEveryChangeBeforeItsWriteReturns() {
    add(store, pod("a", "x"), "1");
    add(store, pod("a", "y"), "2");
    var seen = new ArrayList<Change>();

    Watch watch = store.watch(PODS, 1, seen::add);

    assertThat(revisions(seen)).containsExactly(2L);
    add(store, pod("b", "z"), "3");
    assertThat(revisions(seen)).containsExactly(2L, 3L);
    store.delete(pod("a", "x"), 1);
    assertThat(revisions(seen)).containsExactly(2L, 3L, 4L);
    assertThat(watch.progress()).isEqualTo(4);
  }

  @Test
  void aChangeSaysWhatWasBeforeAndWhatIsAfter() {
    ObjectKey key = pod("a", "x");
    var seen = new ArrayList<Change>();
    store.watch(PODS, 0, seen::add);

    ApiObject first = store.put(key, 0, object(key, "1"));
    ApiObject second = store.put(key, 1, object(key, "2"));
    store.delete(key, 2);

    assertThat(seen)
        .containsExactly(
            new Change(1, key, Optional.empty(), Optional.of(first)),
            new Change(2, key, Optional.of(first), Optional.of(second)),
            new Change(3, key, Optional.of(second), Optional.empty()));
  }

  @Test
  void onlyTheKindIsSeenInAnyOfItsVersions() {
    var seen = new ArrayList<Change>();
    add(store, OLD_JOBS.key("a", "h"), "1");
    Watch watch = store.watch(JOBS, 0, seen::add);

    add(store, pod("a", "x"), "2");
    add(store, OTHER_JOBS.key("a", "j"), "3");
    add(store, OLD_JOBS.key("a", "j"), "4");
    add(store, pod("a", "y"), "5");

    assertThat(revisions(seen)).containsExactly(1L, 4L);
    assertThat(watch.progress()).isEqualTo(5);
  }

  @Test
  void aChangeIsVisibleWhenTheListenerHearsOfIt() {
    var visible = new ArrayList<Optional<ApiObject>>();
    var at = new ArrayList<Long>();
    store.watch(
        PODS,
        0,
        change -> {
          visible.add(store.snapshot().get(change.key()));
          at.add(store.snapshot(change.revision()).revision());
        });

    add(store, pod("a", "x"), "1");
    store.delete(pod("a", "x"), 1);

    assertThat(visible.getFirst()).map(Samples::value).contains("1");
    assertThat(visible.getLast()).isEmpty();
    assertThat(at).containsExactly(1L, 2L);
  }

  @Test
  void listenersHearOfOneChangeInTheOrderTheyCame() {
    var calls = new ArrayList<String>();
    for (String name : List.of("first", "second", "third")) {
      store.watch(PODS, 0, change -> calls.add(name + change.revision()));
    }

    add(store, pod("a", "x"), "1");
    add(store, pod("a", "y"), "2");

    assertThat(calls).containsExactly("first1", "second1", "third1", "first2", "second2", "third2");
  }

  @Test
  void aClosedWatchHearsNothingMore() {
    var seen = new ArrayList<Change>();
    Watch watch = store.watch(PODS, 0, seen::add);
    add(store, pod("a", "x"), "1");
    add(store, JOBS.key("a", "j"), "2");

    watch.close();
    watch.close();
    add(store, pod("a", "y"), "3");

    assertThat(revisions(seen)).containsExactly(1L);
    assertThat(watch.progress()).isEqualTo(2);
  }

  @Test
  void aListenerMayCloseItsOwnWatch() {
    var seen = new ArrayList<Change>();
    var watch = new AtomicReference<Watch>();
    watch.set(
        store.watch(
            PODS,
            0,
            change -> {
              seen.add(change);
              watch.get().close();
            }));

    add(store, pod("a", "x"), "1");
    add(store, pod("a", "y"), "2");

    assertThat(revisions(seen)).containsExactly(1L);
    assertThat(watch.get().progress()).isEqualTo(1);
  }

  @Test
  void aListenerMayStartAnotherWatch() {
    var inner = new ArrayList<Change>();
    var neighbour = new ArrayList<Change>();
    store.watch(
        PODS,
        0,
        change -> {
          if (change.revision() == 2) {
            store.watch(PODS, 0, inner::add);
          }
        });
    store.watch(PODS, 0, neighbour::add);

    add(store, pod("a", "x"), "1");
    add(store, pod("a", "y"), "2");
    add(store, pod("a", "z"), "3");

    assertThat(revisions(inner)).containsExactly(1L, 2L, 3L);
    assertThat(revisions(neighbour)).containsExactly(1L, 2L, 3L);
  }

  @Test
  void aThrowingListenerLosesItsWatchAndNobodyElseAnything() {
    var broken = new ArrayList<Change>();
    var healthy = new ArrayList<Change>();
    Watch watch =
        store.watch(
            PODS,
            0,
            change -> {
              broken.add(change);
              if (change.revision() == 2) {
                throw new IllegalStateException("on purpose");
              }
            });
    store.watch(PODS, 0, healthy::add);

    for (int i = 1; i <= 3; i++) {
      add(store, pod("a", "x" + i), "x");
    }

    assertThat(revisions(broken)).containsExactly(1L, 2L);
    assertThat(watch.progress()).isEqualTo(1);
    assertThat(revisions(healthy)).containsExactly(1L, 2L, 3L);
  }

  @Test
  void aListenerThatThrowsDuringTheReplayGetsNoWatch() {
    add(store, pod("a", "x"), "1");
    var seen = new ArrayList<Change>();

    assertThatThrownBy(() ->
            store.watch(
                PODS,
                0,
                change -> {
                  seen.add(change);
                  throw new IllegalStateException("on purpose");
                }))
        .hasMessage("on purpose");

    add(store, pod("a", "y"), "2");
    assertThat(revisions(seen)).containsExactly(1L);
  }

  @Test
  void aListenerMustNotWrite() {
    var refused = new ArrayList<Throwable>();
    ObjectKey key = pod("a", "other");
    add(store, pod("a", "x"), "1");
    List<Runnable> writes =
        List.of(
            () -> store.put(key, 0, object(key, "2")),
            () -> store.delete(pod("a", "x"), 1),
            () -> store.compact(1),
            () -> store.close());
    store.watch(
        PODS,
        0,
        change ->
            writes.forEach(write -> {
              try {
                write.run();
              } catch (IllegalStateException refusal) {
                refused.add(refusal);
              }
            }));

    add(store, pod("a", "y"), "2");

    assertThat(refused).hasSize(8).allSatisfy(e -> assertThat(e).hasMessageContaining("listener"));
    assertThat(store.snapshot().revision()).isEqualTo(2);
  }

  @Test
  void aWatchGoesOnAcrossACompaction() {
    var seen = new ArrayList<Change>();
    add(store, pod("a", "x"), "1");
    store.watch(PODS, 0, seen::add);
    add(store, pod("a", "y"), "2");

    store.compact(2);
    add(store, pod("a", "z"), "3");

    assertThat(revisions(seen)).containsExactly(1L, 2L, 3L);
  }

  @Test
  void closingTheStoreEndsItsWatches() {
    Watch watch = store.watch(PODS, 0, change -> {});
    add(store, JOBS.key("a", "j"), "1");

    store.close();

    assertThat(watch.progress()).isEqualTo(1);
    watch.close();
  }
}
