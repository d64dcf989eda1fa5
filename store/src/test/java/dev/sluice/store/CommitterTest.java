package dev.sluice.store;

import static dev.sluice.store.Samples.PODS;
import static dev.sluice.store.Samples.add;
import static dev.sluice.store.Samples.object;
import static dev.sluice.store.Samples.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.ObjectKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CommitterTest {

  /** A journal in memory whose appends can be held up and made to fail. */
  private static final class FakeJournal implements Journal {
    final List<List<Long>> groups = new CopyOnWriteArrayList<>();
    final CountDownLatch started = new CountDownLatch(1);
    final Semaphore kept = new Semaphore(0);
    final CountDownLatch proceed;
    volatile boolean full;

    FakeJournal(boolean held) {
      this.proceed = new CountDownLatch(held ? 1 : 0);
    }

    @Override
    public void append(List<Row> rows) throws IOException {
      started.countDown();
      try {
        proceed.await();
      } catch (InterruptedException impossible) {
        throw new IOException(impossible);
      }
      if (full) {
        throw new IOException("no space left");
      }
      groups.add(rows.stream().map(row -> row.change().revision()).toList());
      kept.release();
    }

    @Override
    public void compact(long revision, List<Long> obsolete) throws IOException {
      if (full) {
        throw new IOException("no space left");
      }
    }

    @Override
    public void close() {}
  }

  private static Store store(Journal journal) {
    return new DurableStore(
        "the store in /test",
        journal,
        new WatchCache(State.EMPTY, List.of(), HistoryLimit.of(1000)));
  }

  @Test
  void aFailedAppendIsFinal() {
    var journal = new FakeJournal(false);
    Store store = store(journal);
    var heard = new ArrayList<Change>();
    store.watch(PODS, 0, heard::add);
    add(store, pod("a", "x"), "1");

    journal.full = true;
    assertStopped(() -> add(store, pod("a", "y"), "2"));
    journal.full = false;
    assertStopped(() -> add(store, pod("a", "z"), "3"));
    assertStopped(() -> store.delete(pod("a", "x"), 1));
    assertStopped(() -> store.compact(1));

    assertThat(journal.groups).containsExactly(List.of(1L));
    assertThat(heard).hasSize(1);
    assertThat(store.snapshot().revision()).isEqualTo(1);
    store.close();
    assertStopped(() -> add(store, pod("a", "z"), "3"));
  }

  @Test
  void aFailedCompactionIsFinalToo() {
    var journal = new FakeJournal(false);
    try (Store store = store(journal)) {
      add(store, pod("a", "x"), "1");
      store.checkWritable();

      journal.full = true;
      assertStopped(() -> store.compact(1));
      assertStopped(store::checkWritable);

      assertThat(store.snapshot(0).revision()).isZero();
      assertStopped(() -> add(store, pod("a", "y"), "2"));
    }
  }

  private static void assertStopped(Runnable write) {
    assertThatThrownBy(write::run)
        .isInstanceOf(StoppedException.class)
        .hasMessageContaining("the store in /test")
        .hasMessageContaining("no space left")
        .hasMessageContaining("start again");
  }

  @Test
  void writesThatWaitTogetherAreKeptTogetherAndDecidedInOrder() throws InterruptedException {
    var journal = new FakeJournal(true);
    try (Store store = store(journal)) {
      var stale = new AtomicInteger();
      var writers = new ArrayList<Thread>();
      writers.add(Thread.ofPlatform().start(() -> add(store, pod("a", "first"), "0")));
      journal.started.await();
      for (int i = 0; i < 10; i++) {
        ObjectKey key = pod("a", "x" + i % 5);
        writers.add(Thread.ofPlatform().start(() -> createOrCount(store, key, stale)));
      }
      awaitWaiting(writers);

      journal.proceed.countDown();
      for (Thread writer : writers) {
        writer.join();
      }

      assertThat(journal.groups).containsExactly(List.of(1L), List.of(2L, 3L, 4L, 5L, 6L));
      assertThat(stale).hasValue(5);
      assertThat(store.snapshot().list(PODS)).hasSize(6);
    }
  }

  @Test
  void theNextGroupIsWrittenWhileOneIsTold() throws InterruptedException {
    var journal = new FakeJournal(false);
    try (Store store = store(journal)) {
      var telling = new CountDownLatch(1);
      var mayGoOn = new CountDownLatch(1);
      store.watch(
          PODS,
          0,
          change -> {
            telling.countDown();
            awaitQuietly(mayGoOn);
          });
      Thread first = Thread.ofPlatform().start(() -> add(store, pod("a", "x"), "1"));
      telling.await();

      Thread second = Thread.ofPlatform().start(() -> add(store, pod("a", "y"), "1"));
      journal.kept.acquire(2);

      assertThat(second.isAlive()).as("answered before it is published").isTrue();
      mayGoOn.countDown();
      first.join();
      second.join();
      assertThat(store.snapshot().revision()).isEqualTo(2);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Test
  void everyWaitingWriterHearsOfTheFailure() throws InterruptedException {
    var journal = new FakeJournal(true);
    try (Store store = store(journal)) {
      var stopped = new AtomicInteger();
      var writers = new ArrayList<Thread>();
      for (int i = 0; i < 20; i++) {
        ObjectKey key = pod("a", "x" + i);
        writers.add(
            Thread.ofPlatform()
                .start(() -> {
                  try {
                    store.put(key, 0, object(key, "1"));
                  } catch (StoppedException expected) {
                    stopped.incrementAndGet();
                  }
                }));
      }
      awaitWaiting(writers);

      journal.full = true;
      journal.proceed.countDown();
      for (Thread writer : writers) {
        writer.join();
      }

      assertThat(stopped).hasValue(20);
      assertThat(store.snapshot().revision()).isZero();
    }
  }

  @Test
  void nothingIsVisibleBeforeItIsKept() throws InterruptedException {
    var journal = new FakeJournal(true);
    try (Store store = store(journal)) {
      var heard = new ArrayList<Change>();
      store.watch(PODS, 0, heard::add);
      Thread writer = Thread.ofPlatform().start(() -> add(store, pod("a", "x"), "1"));
      journal.started.await();

      assertThat(store.snapshot().revision()).isZero();
      assertThat(heard).isEmpty();

      journal.proceed.countDown();
      writer.join();
      assertThat(store.snapshot().revision()).isEqualTo(1);
      assertThat(heard).hasSize(1);
    }
  }

  private static void createOrCount(Store store, ObjectKey key, AtomicInteger stale) {
    try {
      add(store, key, "1");
    } catch (StaleException lost) {
      stale.incrementAndGet();
    }
  }

  /**
   * A writer waits for its answer once its write is queued. That it waits at all says too little:
   * it may wait for its turn at the queue.
   */
  private static void awaitWaiting(List<Thread> writers) {
    for (Thread writer : writers) {
      while (!(LockSupport.getBlocker(writer) instanceof ForkJoinPool.ManagedBlocker)) {
        Thread.onSpinWait();
      }
    }
  }
}
