package dev.sluice.store;

import dev.sluice.model.ObjectKey;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The journal in a SQLite file, see {@link SqliteFile} for its tables. Every append is one
 * transaction, and SQLite syncs its write-ahead log before the transaction's end returns.
 */
final class SqliteJournal implements Journal {
  /**
   * How many rows an append drops for each that it adds. A write makes at most two rows obsolete,
   * so the rest shrinks, and no write waits while a long history is dropped at once.
   */
  private static final int SWEEP = 4;

  private final Connection connection;
  private final PreparedStatement insert;
  private final PreparedStatement delete;
  private final PreparedStatement compacted;
  private final DirectoryLock lock;
  private final ArrayDeque<Long> obsolete;
  private boolean failed;

  /**
   * @param lock held from now on, released with the journal
   * @param obsolete the revisions of rows that an earlier process did not get to drop
   */
  SqliteJournal(Path file, DirectoryLock lock, List<Long> obsolete)
      throws SQLException, IOException {
    this.lock = lock;
    this.obsolete = new ArrayDeque<>(obsolete);
    this.connection = SqliteFile.connectForWriting(file);
    try {
      this.insert =
          connection.prepareStatement("INSERT INTO change VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
      this.delete = connection.prepareStatement("DELETE FROM change WHERE revision = ?");
      this.compacted =
          connection.prepareStatement("UPDATE compaction SET revision = ?, checksum = ?");
      connection.setAutoCommit(false);
      lock.hold(file);
    } catch (SQLException | IOException failure) {
      connection.close();
      throw failure;
    }
  }

  @Override
  public void append(List<Row> rows) throws IOException {
    try {
      for (Row row : rows) {
        bind(row);
        insert.addBatch();
      }
      insert.executeBatch();
      drop(SWEEP * rows.size());
      connection.commit();
    } catch (SQLException failure) {
      throw failure(failure);
    }
  }

  private void bind(Row row) throws SQLException {
    Change change = row.change();
    ObjectKey key = change.key();
    insert.setLong(1, change.revision());
    insert.setString(2, key.kind().group());
    insert.setString(3, key.kind().version());
    insert.setString(4, key.kind().kind());
    insert.setString(5, key.kind().plural());
    insert.setInt(6, key.kind().namespaced() ? 1 : 0);
    insert.setString(7, key.namespace());
    insert.setString(8, key.name());
    if (change.after().isPresent()) {
      insert.setBytes(9, row.json().bytes());
    } else {
      insert.setNull(9, Types.BLOB);
    }
    insert.setLong(10, Checksum.of(change.revision(), key, row.json()));
  }

  private void drop(int most) throws SQLException {
    int count = Math.min(most, obsolete.size());
    for (int i = 0; i < count; i++) {
      delete.setLong(1, obsolete.remove());
      delete.addBatch();
    }
    delete.executeBatch();
  }

  @Override
  public void compact(long revision, List<Long> noLongerNeeded) throws IOException {
    try {
      compacted.setLong(1, revision);
      compacted.setLong(2, Checksum.of(revision));
      compacted.executeUpdate();
      connection.commit();
      obsolete.addAll(noLongerNeeded);
    } catch (SQLException failure) {
      throw failure(failure);
    }
  }

  @Override
  public void close() throws IOException {
    try (lock;
        connection) {
      // After a failure SQLite rolls back what is pending; committing would keep a part of a group.
      if (!failed) {
        drop(obsolete.size());
        connection.commit();
      }
    } catch (SQLException failure) {
      throw new IOException(failure.getMessage(), failure);
    }
  }

  private IOException failure(SQLException failure) {
    failed = true;
    return new IOException(failure.getMessage(), failure);
  }
}
