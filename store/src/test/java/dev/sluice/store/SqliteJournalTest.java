package dev.sluice.store;

import static dev.sluice.store.Samples.object;
import static dev.sluice.store.Samples.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.ObjectKey;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteJournalTest {
  @TempDir Path directory;

  private static Journal.Row row(long revision) {
    ObjectKey key = pod("a", "x" + revision);
    var object = object(key, "1");
    return new Journal.Row(
        new Change(revision, key, Optional.empty(), Optional.of(object)), Encoded.of(key, object));
  }

  @Test
  void aGroupThatFailsInItsMiddleLeavesNothing() throws IOException, SQLException {
    try (Store store = Stores.open(directory)) {
      Samples.add(store, pod("a", "x1"), "1");
    }
    Path real = directory.toRealPath();
    try (var journal =
        new SqliteJournal(
            real.resolve(StoreDirectory.FILE), DirectoryLock.take(real, () -> {}), List.of())) {

      journal.append(List.of(row(2)));
      assertThatThrownBy(() -> journal.append(List.of(row(3), row(1), row(4))))
          .isInstanceOf(IOException.class);
    }

    assertThat(Directories.rows(directory)).containsExactly(1L, 2L);
  }
}
