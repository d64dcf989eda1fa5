package dev.sluice.store;

import static dev.sluice.store.Samples.PODS;
import static dev.sluice.store.Samples.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ObjectKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ConcurrencyTest {
  private static final int WRITERS = 24;
  private static final int WATCHERS = 6;
  private static final int COUNTERS = 4;
  private static final int INCREMENTS = 100;

  @TempDir Path directory;

  @Test
  void nothingIsLostInMemory() throws Exception {
    try (Store store = Stores.inMemory()) {
      hammer(store);
    }
  }

  @Test
  void nothingIsLostOnDisk() throws Exception {
    try (Store store = Stores.open(directory)) {
      hammer(store);
    }
    try (Store store = Stores.open(directory)) {
      assertCounted(store);
    }
  }

  private static void hammer(Store store) throws ExecutionException, InterruptedException {
    var tasks = new ArrayList<Future<List<Long>>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < WRITERS; i++) {
        ObjectKey key = counter(i % COUNTERS);
        tasks.add(threads.submit(() -> count(store, key)));
      }
      for (int i = 0; i < WATCHERS; i++) {
        tasks.add(threads.submit(() -> follow(store)));
      }
      for (Future<List<Long>> task : tasks.subList(WRITERS, tasks.size())) {
        List<Long> heard = task.get();
        long first = heard.getFirst();
        assertThat(heard)
            .as("gap-free and in order")
            .isEqualTo(LongStream.rangeClosed(first, total()).boxed().toList());
      }
      for (Future<List<Long>> task : tasks.subList(0, WRITERS)) {
        task.get();
      }
    }
    assertCounted(store);
  }

  private static void assertCounted(Store store) {
    assertThat(store.snapshot().revision()).isEqualTo(total());
    for (int i = 0; i < COUNTERS; i++) {
      assertThat(store.snapshot().get(counter(i)))
          .map(Samples::value)
          .contains(Integer.toString(WRITERS / COUNTERS * INCREMENTS));
    }
  }

  private static long total() {
    return (long) WRITERS * INCREMENTS;
  }

  private static ObjectKey counter(int number) {
    return pod("a", "counter" + number);
  }

  private static List<Long> count(Store store, ObjectKey key) {
    for (int done = 0; done < INCREMENTS; ) {
      var seen = store.snapshot().get(key);
      int value = seen.map(Samples::value).map(Integer::parseInt).orElse(0);
      try {
        store.put(
            key,
            seen.map(Samples::revision).orElse(0L),
            Samples.object(key, Integer.toString(value + 1)));
        done++;
      } catch (StaleException lost) {
        // Another writer was faster: look again.
      }
    }
    return List.of();
  }

  /** Watches again and again, each time from where the last watch had come, to the very end. */
  private static List<Long> follow(Store store) throws InterruptedException {
    var heard = Collections.synchronizedList(new ArrayList<Long>());
    long from = store.snapshot().revision();
    while (from < total()) {
      var enough = new CountDownLatch(50);
      Watch watch =
          store.watch(
              PODS,
              from,
              change -> {
                heard.add(Math.min(change.revision(), store.snapshot().revision()));
                enough.countDown();
                if (change.revision() == total()) {
                  heardAll(enough);
                }
              });
      enough.await();
      watch.close();
      from = watch.progress();
    }
    return heard.isEmpty() ? List.of(total()) : List.copyOf(heard);
  }

  private static void heardAll(CountDownLatch enough) {
    while (enough.getCount() > 0) {
      enough.countDown();
    }
  }
}
