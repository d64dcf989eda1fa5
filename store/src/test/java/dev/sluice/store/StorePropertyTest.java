package dev.sluice.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Random lives of a store, compared with a naive one after every step. */
@Timeout(120)
class StorePropertyTest {
  private static final int HISTORY = 90;

  @TempDir Path directory;

  @Test
  void theMemoryStoreBehavesAsTheNaiveOne() {
    Seeds.run(60, seed -> new Life(seed, () -> Stores.inMemory(HISTORY), false).run(400));
  }

  @Test
  void theDurableStoreBehavesAsTheNaiveOneAcrossReopenings() {
    Seeds.run(
        8,
        seed -> {
          Path own = directory.resolve(Long.toString(seed));
          new Life(seed, () -> Stores.open(own, HISTORY), true).run(400);
        });
  }

  @Test
  void aCopyOfTheFilesOfARunningStoreOpensAtTheSameState() {
    Seeds.run(
        5,
        seed -> {
          Path own = directory.resolve("running" + seed);
          try (var life = new Life(seed, () -> Stores.open(own, HISTORY), false)) {
            for (int i = 0; i < 5; i++) {
              life.run(60);
              Path copy = Directories.copy(own, directory.resolve("copy" + seed + i));
              life.compareWith(() -> Stores.open(copy, HISTORY));
              assertThat(Directories.rows(copy)).isEqualTo(life.naive.needed());
            }
          }
        });
  }

  /** A watch together with what it must have heard. */
  private record Watched(ResourceKind kind, long after, Watch watch, List<Change> heard) {}

  private static final class Life implements AutoCloseable {
    private static final List<ResourceKind> KINDS =
        List.of(Samples.PODS, Samples.NODES, Samples.JOBS, Samples.OLD_JOBS, Samples.OTHER_JOBS);
    private static final List<String> NAMESPACES = List.of("a", "a-b", "b");

    private final Random random;
    private final Supplier<Store> opener;
    private final boolean reopens;
    private final NaiveStore naive = new NaiveStore(HISTORY);
    private final List<Watched> watches = new ArrayList<>();
    private Store store;

    Life(long seed, Supplier<Store> opener, boolean reopens) {
      this.random = new Random(seed);
      this.opener = opener;
      this.reopens = reopens;
      this.store = opener.get();
    }

    void run(int steps) {
      for (int i = 0; i < steps; i++) {
        step();
        // Passes through the writer's queue, so a compaction that a write caused is over.
        store.compact(0);
        check(store, randomRevision());
      }
    }

    private void step() {
      switch (random.nextInt(20)) {
        case 0 -> compact();
        case 1, 2 -> watch();
        case 3 -> closeWatch();
        case 4 -> reopen();
        case 5, 6, 7, 8 -> delete();
        default -> put();
      }
    }

    private void put() {
      ObjectKey key = randomKey();
      long expected = randomExpected(key);
      var object = Samples.object(key, Integer.toString(random.nextInt(10)));
      if (expected == naive.revisionOf(key)) {
        naive.put(key, object);
        assertThat(Samples.revision(store.put(key, expected, object))).isEqualTo(naive.revision());
      } else {
        assertThatThrownBy(() -> store.put(key, expected, object))
            .isInstanceOf(StaleException.class);
      }
    }

    private void delete() {
      ObjectKey key = randomKey();
      long expected = Math.max(1, randomExpected(key));
      if (expected == naive.revisionOf(key)) {
        naive.delete(key);
        assertThat(store.delete(key, expected)).isEqualTo(naive.revision());
      } else {
        assertThatThrownBy(() -> store.delete(key, expected)).isInstanceOf(StaleException.class);
      }
    }

    private void watch() {
      ResourceKind kind = KINDS.get(random.nextInt(KINDS.size()));
      long after = randomRevision();
      var heard = new ArrayList<Change>();
      if (after < naive.oldest()) {
        assertThatThrownBy(() -> store.watch(kind, after, heard::add))
            .isInstanceOf(CompactedException.class);
      } else {
        watches.add(new Watched(kind, after, store.watch(kind, after, heard::add), heard));
      }
    }

    private void closeWatch() {
      if (!watches.isEmpty()) {
        Watched closed = watches.remove(random.nextInt(watches.size()));
        closed.watch().close();
        assertThat(closed.watch().progress()).isEqualTo(naive.revision());
      }
    }

    private void compact() {
      long revision = randomRevision();
      store.compact(revision);
      naive.compact(revision);
    }

    private void reopen() {
      if (reopens) {
        close();
        watches.clear();
        store = opener.get();
      }
    }

    void compareWith(Supplier<Store> other) {
      try (Store copy = other.get()) {
        for (long revision = 0; revision <= naive.revision(); revision++) {
          checkObjects(copy, revision);
        }
      }
    }

    private void check(Store checked, long revision) {
      assertThat(checked.snapshot().revision()).isEqualTo(naive.revision());
      checkObjects(checked, naive.revision());
      checkObjects(checked, revision);
      ObjectKey key = randomKey();
      assertThat(checked.get(key)).isEqualTo(naive.get(naive.revision(), key));
      for (Watched watched : watches) {
        assertThat(watched.heard()).isEqualTo(naive.changes(watched.kind(), watched.after()));
        assertThat(watched.watch().progress()).isEqualTo(naive.revision());
      }
    }

    private void checkObjects(Store checked, long revision) {
      if (revision < naive.oldest()) {
        StoreContract.assertTooOld(() -> checked.snapshot(revision), revision, naive.oldest());
        return;
      }
      Snapshot snapshot = checked.snapshot(revision);
      assertThat(snapshot.revision()).isEqualTo(revision);
      for (ResourceKind kind : KINDS) {
        assertThat(snapshot.list(kind)).isEqualTo(naive.list(revision, kind));
        for (String namespace : NAMESPACES) {
          assertThat(snapshot.list(kind, namespace))
              .isEqualTo(naive.list(revision, kind, kind.namespaced() ? namespace : "none"));
        }
      }
      ObjectKey key = randomKey();
      assertThat(snapshot.get(key)).isEqualTo(naive.get(revision, key));
    }

    private ObjectKey randomKey() {
      ResourceKind kind = KINDS.get(random.nextInt(KINDS.size()));
      String namespace = NAMESPACES.get(random.nextInt(NAMESPACES.size()));
      return kind.key(namespace, "n" + random.nextInt(4));
    }

    private long randomExpected(ObjectKey key) {
      return random.nextInt(8) == 0 ? randomRevision() : naive.revisionOf(key);
    }

    /** Any revision up to now, the last ones more often. */
    private long randomRevision() {
      long back = random.nextInt(random.nextBoolean() ? 5 : 150);
      return Math.max(0, naive.revision() - back);
    }

    @Override
    public void close() {
      store.close();
    }
  }

  @Test
  void nothingIsLeftOfWhatWasDeletedAndCompacted() throws IOException {
    Path empty = directory.resolve("empty");
    Path used = directory.resolve("used");
    Stores.open(empty).close();
    try (Store store = Stores.open(used)) {
      for (int i = 0; i < 200; i++) {
        ObjectKey key = Samples.pod("a", "x" + i);
        store.delete(key, Samples.add(store, key, "1"));
      }
      store.compact(400);
    }

    assertThat(Directories.rows(used)).isEmpty();
    try (Store store = Stores.open(used)) {
      assertThat(store.snapshot().revision()).isEqualTo(400);
      assertThat(Samples.add(store, Samples.pod("a", "next"), "1")).isEqualTo(401);
    }
    assertThat(Directories.rows(used)).containsExactly(401L);
  }
}
