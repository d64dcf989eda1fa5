package dev.sluice.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import org.sqlite.SQLiteDataSource;

/**
 * The file that a durable store lives in, an ordinary SQLite database: table {@code change} has a
 * row for every write that is still needed, keyed by its revision, with the object as JSON or
 * {@code NULL} for a deletion; the one row of {@code compaction} has the revision up to which
 * history is forgotten. The file's header names it as ours and gives the version of this format.
 */
final class SqliteFile {
  static final int FORMAT = 1;

  private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
  private static final int APPLICATION = 0x534C5543;
  private static final int HEADER_SIZE = 100;
  private static final int FORMAT_OFFSET = 60;
  private static final int APPLICATION_OFFSET = 68;

  /** Most rows have 2 to 3 KB: a usual page of 4 KB would have one of them, and be half empty. */
  static final int PAGE_BYTES = 16_384;

  private static final String CHANGE_TABLE =
      """
      CREATE TABLE change (
        revision INTEGER PRIMARY KEY,
        api_group TEXT NOT NULL,
        version TEXT NOT NULL,
        kind TEXT NOT NULL,
        plural TEXT NOT NULL,
        namespaced INTEGER NOT NULL,
        namespace TEXT NOT NULL,
        name TEXT NOT NULL,
        object BLOB,
        checksum INTEGER NOT NULL
      ) STRICT
      """;
  private static final String COMPACTION_TABLE =
      "CREATE TABLE compaction (revision INTEGER NOT NULL, checksum INTEGER NOT NULL) STRICT";

  private SqliteFile() {}

  /** What the first bytes of a file say it is. */
  sealed interface Header {
    /** A store of ours, in a version of the format. */
    record Ours(int format) implements Header {}

    /** Something else. */
    record Foreign() implements Header {}
  }

  /** Reads the header without SQLite, which could change a file by merely opening it. */
  static Header header(Path file) throws IOException {
    byte[] start;
    try (var in = Files.newInputStream(file)) {
      start = in.readNBytes(HEADER_SIZE);
    }
    if (start.length < HEADER_SIZE
        || !Arrays.equals(start, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      return new Header.Foreign();
    }
    var fields = ByteBuffer.wrap(start);
    return fields.getInt(APPLICATION_OFFSET) == APPLICATION
        ? new Header.Ours(fields.getInt(FORMAT_OFFSET))
        : new Header.Foreign();
  }

  /** Makes an empty store. */
  static void create(Path file) throws SQLException {
    try (Connection connection = connect(file, "mode=rwc");
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA page_size = " + PAGE_BYTES);
      statement.execute("PRAGMA synchronous = FULL");
      statement.execute("PRAGMA application_id = " + APPLICATION);
      statement.execute("PRAGMA user_version = " + FORMAT);
      statement.execute(CHANGE_TABLE);
      statement.execute(COMPACTION_TABLE);
      statement.execute("INSERT INTO compaction VALUES (0, %d)".formatted(Checksum.of(0)));
      // Last, so that all of the above is in the file itself and not in a log beside it.
      statement.execute("PRAGMA journal_mode = WAL");
    }
  }

  /**
   * A connection that leaves every file as it is.
   *
   * @param withLog whether a log beside the file, left by a process that was killed, belongs to it.
   *     SQLite reads such a log without writing anything only if it needs no shared memory, hence
   *     the exclusive mode, and no locks, which a file opened for reading cannot give it.
   */
  static Connection connectForReading(Path file, boolean withLog) throws SQLException {
    if (!withLog) {
      return connect(file, "mode=ro&immutable=1");
    }
    Connection connection = connect(file, "mode=ro&vfs=unix-none");
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA locking_mode = EXCLUSIVE");
      return connection;
    } catch (SQLException failed) {
      connection.close();
      throw failed;
    }
  }

  static Connection connectForWriting(Path file) throws SQLException {
    Connection connection = connect(file, "mode=rw");
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA journal_mode = WAL");
      statement.execute("PRAGMA synchronous = FULL");
      return connection;
    } catch (SQLException failed) {
      connection.close();
      throw failed;
    }
  }

  private static Connection connect(Path file, String parameters) throws SQLException {
    var source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite:" + file.toUri() + "?" + parameters);
    return source.getConnection();
  }
}
