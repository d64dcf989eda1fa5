package dev.sluice.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Opens the store in a directory, or refuses and leaves every byte of the directory as it was.
 *
 * <p>Method: look at names and at the header, then lock, then read everything without writing
 * anything, and only then open the file for writing. A new store is made under another name and
 * renamed when it is whole, so a crash leaves either no store or an empty one.
 */
final class StoreDirectory {
  static final String FILE = "sluice.db";
  private static final String UNFINISHED = "sluice.db.new";

  /**
   * What may lie in a directory that counts as empty: rests of a creation, a fresh volume's own.
   */
  private static final Set<String> NOTHING_OF_WORTH =
      Set.of(
          DirectoryLock.FILE,
          UNFINISHED,
          UNFINISHED + "-journal",
          UNFINISHED + "-wal",
          UNFINISHED + "-shm",
          "lost+found");

  private static final String NAME_ANOTHER = "name an empty directory or one that Sluice made";

  private final Path directory;

  private StoreDirectory(Path directory) {
    this.directory = directory;
  }

  static Store open(Path directory, int historyLimit) {
    try {
      if (Files.exists(directory) && !Files.isDirectory(directory)) {
        throw new UnusableDirectoryException(directory, "is not a directory", NAME_ANOTHER);
      }
      OwnerOnly.createDirectories(directory);
      return new StoreDirectory(directory.toRealPath()).open(historyLimit);
    } catch (IOException failed) {
      throw unreachable(directory, failed);
    }
  }

  private Store open(int historyLimit) throws IOException {
    var limit = HistoryLimit.of(historyLimit);
    DirectoryLock lock = DirectoryLock.take(directory, this::refuseForeign);
    boolean opened = false;
    try {
      if (holdsNothing()) {
        create();
      }
      refuseForeign();
      lock.refuseHeld(directory.resolve(FILE));
      Contents contents = read();
      OwnerOnly.close(directory);
      var ledger = new WatchCache(contents.oldest(), contents.changes(), limit);
      var journal = new SqliteJournal(directory.resolve(FILE), lock, contents.obsolete());
      opened = true;
      return new DurableStore("the store in " + directory, journal, ledger);
    } catch (SQLException failed) {
      throw unreachable(directory, failed);
    } finally {
      if (!opened) {
        lock.abandon();
      }
    }
  }

  /** Refuses a directory that is not ours, by its names and the header of its file. */
  private void refuseForeign() throws IOException {
    if (holdsNothing()) {
      return;
    }
    Path file = directory.resolve(FILE);
    if (!Files.isRegularFile(file)) {
      throw new UnusableDirectoryException(
          directory, "is not empty and holds no Sluice store (no " + FILE + ")", NAME_ANOTHER);
    }
    switch (SqliteFile.header(file)) {
      case SqliteFile.Header.Ours(int format) when format == SqliteFile.FORMAT -> {}
      case SqliteFile.Header.Ours(int format) ->
          throw new UnusableDirectoryException(
              directory,
              "has a store of format %d, and this Sluice reads format %d"
                  .formatted(format, SqliteFile.FORMAT),
              "use the version of Sluice that wrote it, or name another directory");
      case SqliteFile.Header.Foreign() ->
          throw UnusableDirectoryException.damaged(
              directory, FILE + " does not begin as a file of Sluice does");
    }
  }

  private boolean holdsNothing() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.allMatch(file -> NOTHING_OF_WORTH.contains(file.getFileName().toString()));
    }
  }

  private void create() throws IOException, SQLException {
    for (String rest : List.of("", "-journal", "-wal", "-shm")) {
      Files.deleteIfExists(directory.resolve(UNFINISHED + rest));
    }
    Path unfinished = directory.resolve(UNFINISHED);
    Files.createFile(unfinished, OwnerOnly.ofFile(unfinished));
    SqliteFile.create(unfinished);
    Files.move(unfinished, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private Contents read() throws IOException {
    Path file = directory.resolve(FILE);
    Path log = directory.resolve(FILE + "-wal");
    LogCheck.Finding found = Files.exists(log) ? LogCheck.in(log) : LogCheck.Finding.NOTHING;
    if (found == LogCheck.Finding.DAMAGE) {
      throw UnusableDirectoryException.damaged(
          directory, log.getFileName() + " lost writes that had been acknowledged");
    }
    // SQLite deletes a log in which it finds nothing, even when it may only read.
    boolean withLog = found == LogCheck.Finding.TRANSACTIONS;
    try (Connection connection = SqliteFile.connectForReading(file, withLog)) {
      return Contents.read(directory, connection);
    } catch (SQLException failed) {
      throw UnusableDirectoryException.damaged(directory, "SQLite says " + failed.getMessage());
    }
  }

  private static UnusableDirectoryException unreachable(Path directory, Exception failed) {
    return new UnusableDirectoryException(
        directory,
        "cannot be read and written: %s (%s)"
            .formatted(failed.getMessage(), failed.getClass().getSimpleName()),
        "see to its permissions and its disk, or name another directory",
        failed);
  }
}
