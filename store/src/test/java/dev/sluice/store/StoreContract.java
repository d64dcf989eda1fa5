package dev.sluice.store;

import static dev.sluice.store.Samples.JOBS;
import static dev.sluice.store.Samples.NODES;
import static dev.sluice.store.Samples.OLD_JOBS;
import static dev.sluice.store.Samples.OTHER_JOBS;
import static dev.sluice.store.Samples.PODS;
import static dev.sluice.store.Samples.add;
import static dev.sluice.store.Samples.object;
import static dev.sluice.store.Samples.pod;
import static dev.sluice.store.Samples.revision;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every store promises of objects, revisions and history. */
@Timeout(60)
abstract class StoreContract extends WithStore {
  static final int HISTORY = 200;

  @Test
  void isEmptyAtRevisionZeroInTheBeginning() {
    assertThat(store.snapshot().revision()).isZero();
    assertThat(store.snapshot().list(PODS)).isEmpty();
    assertThat(store.snapshot().get(pod("a", "x"))).isEmpty();
    assertThat(store.snapshot(0).revision()).isZero();
  }

  @Test
  void everyWriteRaisesTheRevisionByOneAndStampsTheObject() {
    ObjectKey key = pod("a", "x");

    ApiObject created = store.put(key, 0, object(key, "1").withMetadata("resourceVersion", "77"));
    ApiObject updated = store.put(key, 1, object(key, "2"));
    add(store, pod("a", "y"), "3");

    assertThat(created.resourceVersion()).isEqualTo("1");
    assertThat(created).isEqualTo(object(key, "1").withMetadata("resourceVersion", "1"));
    assertThat(updated.resourceVersion()).isEqualTo("2");
    assertThat(store.snapshot().revision()).isEqualTo(3);
    assertThat(store.snapshot().get(key)).contains(updated);
    assertThat(store.delete(key, 2)).isEqualTo(4);
    assertThat(store.snapshot().get(key)).isEmpty();
  }

  @Test
  void aWriterWhoSawAnotherRevisionLoses() {
    ObjectKey key = pod("a", "x");
    add(store, key, "1");
    store.put(key, 1, object(key, "2"));

    assertStale(() -> store.put(key, 0, object(key, "3")), 2);
    assertStale(() -> store.put(key, 1, object(key, "3")), 2);
    assertStale(() -> store.put(key, 3, object(key, "3")), 2);
    assertStale(() -> store.delete(key, 1), 2);
    assertStale(() -> store.put(pod("a", "y"), 2, object(key, "3")), 0);
    assertStale(() -> store.delete(pod("a", "y"), 2), 0);

    assertThat(store.snapshot().revision()).isEqualTo(2);
    store.delete(key, 2);
    assertStale(() -> store.delete(key, 2), 0);
    assertThat(add(store, key, "again")).isEqualTo(4);
  }

  private static void assertStale(Runnable write, long actual) {
    assertThatThrownBy(write::run)
        .isInstanceOf(StaleException.class)
        .hasMessageContaining("is at revision %s, not", actual);
  }

  @Test
  void impossibleExpectationsAreRefused() {
    ObjectKey key = pod("a", "x");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.put(key, -1, object(key, "1")))
        .withMessageContaining("pods a/x");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.delete(key, 0))
        .withMessageContaining("pods a/x");
    assertThat(store.snapshot().revision()).isZero();
  }

  @Test
  void listsAreInTheOrderOfNamespaceAndName() {
    for (ObjectKey key :
        List.of(pod("b", "y"), pod("a", "z"), pod("b", "x"), pod("a", "a"), pod("a-b", "m"))) {
      add(store, key, "p");
    }
    add(store, NODES.key("n"), "n");
    add(store, JOBS.key("a", "j"), "j");

    Snapshot snapshot = store.snapshot();

    assertThat(snapshot.list(PODS))
        .extracting(ApiObject::path)
        .containsExactly("a/a", "a/z", "a-b/m", "b/x", "b/y");
    assertThat(snapshot.list(PODS, "a")).extracting(ApiObject::name).containsExactly("a", "z");
    assertThat(snapshot.list(PODS, "c")).isEmpty();
    assertThat(snapshot.list(NODES)).extracting(ApiObject::name).containsExactly("n");
  }

  @Test
  void versionsOfAKindShareTheirObjectsAndGroupsDoNot() {
    add(store, OLD_JOBS.key("a", "j"), "old");
    add(store, OTHER_JOBS.key("a", "j"), "other");

    assertThat(store.snapshot().list(JOBS)).extracting(Samples::value).containsExactly("old");
    assertThat(store.snapshot().get(JOBS.key("a", "j"))).map(Samples::value).contains("old");
    assertStale(() -> add(store, JOBS.key("a", "j"), "new"), 1);
    assertThat(store.snapshot().list(OTHER_JOBS, "a"))
        .extracting(Samples::value)
        .containsExactly("other");
  }

  @Test
  void oldRevisionsStayReadable() {
    ObjectKey key = pod("a", "x");
    add(store, key, "1");
    Snapshot taken = store.snapshot();
    for (int i = 2; i <= 150; i++) {
      store.put(key, i - 1, object(key, Integer.toString(i)));
    }
    store.delete(key, 150);

    assertThat(taken.get(key)).map(Samples::value).contains("1");
    assertThat(store.snapshot(0).list(PODS)).isEmpty();
    for (int i = 1; i <= 150; i++) {
      Snapshot old = store.snapshot(i);
      assertThat(old.revision()).isEqualTo(i);
      assertThat(old.list(PODS)).extracting(Samples::revision).containsExactly((long) i);
    }
    assertThat(store.snapshot(151).list(PODS)).isEmpty();
  }

  @Test
  void compactedRevisionsAreTooOldAndTheObjectsStay() {
    add(store, pod("a", "x"), "x");
    long y = add(store, pod("a", "y"), "y");
    store.delete(pod("a", "y"), y);
    add(store, pod("a", "z"), "z");

    store.compact(3);

    assertTooOld(() -> store.snapshot(2), 2, 3);
    assertTooOld(() -> store.watch(PODS, 2, change -> {}), 2, 3);
    assertThat(store.snapshot(3).list(PODS)).extracting(Samples::value).containsExactly("x");
    assertThat(store.snapshot().list(PODS)).extracting(Samples::value).containsExactly("x", "z");
    store.compact(1);
    assertThat(store.snapshot(3).revision()).isEqualTo(3);
    store.compact(4);
    assertThat(store.snapshot(4).list(PODS)).hasSize(2);
    assertTooOld(() -> store.snapshot(3), 3, 4);
  }

  static void assertTooOld(Runnable question, long requested, long oldest) {
    assertThatThrownBy(question::run)
        .isInstanceOf(CompactedException.class)
        .hasMessage("too old resource version: %s (%s)", requested, oldest);
  }

  @Test
  void theFutureCannotBeAskedFor() {
    add(store, pod("a", "x"), "x");

    assertThatIllegalArgumentException().isThrownBy(() -> store.snapshot(2));
    assertThatIllegalArgumentException().isThrownBy(() -> store.watch(PODS, 2, change -> {}));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.compact(2))
        .withMessageContaining("the store is at 1");
  }

  @Test
  void theOlderHalfOfTooLongAHistoryIsForgotten() {
    ObjectKey key = pod("a", "x");
    for (int i = 0; i < HISTORY; i++) {
      store.put(key, i, object(key, Integer.toString(i)));
    }
    assertThat(store.snapshot(0).list(PODS)).isEmpty();

    store.put(key, HISTORY, object(key, "one more"));
    store.compact(0);

    long oldest = HISTORY + 1 - HISTORY / 2;
    assertTooOld(() -> store.snapshot(oldest - 1), oldest - 1, oldest);
    assertThat(store.snapshot(oldest).get(key)).map(Samples::revision).contains(oldest);
    assertThat(store.snapshot().get(key)).map(Samples::value).contains("one more");
  }

  @Test
  void aClosedStoreRefusesWritesAndCanStillBeRead() {
    ObjectKey key = pod("a", "x");
    add(store, key, "1");

    store.close();
    store.close();

    assertStopped(() -> store.put(key, 1, object(key, "2")));
    assertStopped(() -> store.delete(key, 1));
    assertStopped(() -> store.watch(PODS, 0, change -> {}));
    assertThat(store.snapshot().get(key)).map(Samples::revision).contains(1L);
    assertThat(revision(store.snapshot(1).get(key).orElseThrow())).isEqualTo(1);
  }

  private static void assertStopped(Runnable action) {
    assertThatThrownBy(action::run)
        .isInstanceOf(StoppedException.class)
        .hasMessageContaining("closed");
  }
}
