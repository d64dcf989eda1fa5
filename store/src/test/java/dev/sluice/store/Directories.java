package dev.sluice.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.sqlite.SQLiteDataSource;

/** What tests do with the directory of a store behind its back. */
final class Directories {
  private Directories() {}

  /** What a crash at this moment would leave: the files without the lock and the shared memory. */
  static Path copy(Path from, Path to) {
    try (Stream<Path> files = Files.list(from)) {
      Files.createDirectories(to);
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (!name.equals(DirectoryLock.FILE) && !name.endsWith("-shm")) {
          Files.copy(file, to.resolve(name));
        }
      }
      return to;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** The names and bytes of all files. */
  static SortedMap<String, String> contents(Path directory) {
    var contents = new TreeMap<String, String>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        contents.put(
            file.toString(),
            Files.isDirectory(file)
                ? "directory"
                : new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
      return contents;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** The revisions of the rows in the file. */
  static List<Long> rows(Path directory) {
    var revisions = new ArrayList<Long>();
    try (var connection = connect(directory);
        var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT revision FROM change ORDER BY revision")) {
      while (rows.next()) {
        revisions.add(rows.getLong(1));
      }
      return revisions;
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** Changes the database of a closed store. */
  static void execute(Path directory, String sql) {
    try (var connection = connect(directory);
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static Connection connect(Path directory) throws SQLException {
    var source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite:" + directory.resolve(StoreDirectory.FILE));
    return source.getConnection();
  }
}
