package dev.sluice.store;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.SharedValues;
import dev.sluice.model.tree.Tree;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a journal holds: the state up to which history is forgotten, the changes since, and the
 * revisions of rows that history needed and that are not dropped yet. Everything is checked while
 * it is read, and nothing is written.
 */
record Contents(State oldest, List<History.Kept> changes, List<Long> obsolete) {

  /** Reads all that an intact file holds, or says what is wrong with it. */
  static Contents read(Path directory, Connection connection) throws SQLException {
    return new Reader(directory, connection).read();
  }

  private static final class Reader {
    private final Path directory;
    private final Connection connection;
    private final Map<ResourceKind, ResourceKind> kinds = new HashMap<>();
    private final SharedValues parts = new SharedValues();
    private final List<History.Kept> changes = new ArrayList<>();
    private final List<Long> obsolete = new ArrayList<>();
    private State state = State.EMPTY;
    private State oldest = State.EMPTY;

    Reader(Path directory, Connection connection) {
      this.directory = directory;
      this.connection = connection;
    }

    Contents read() throws SQLException {
      try (Statement statement = connection.createStatement()) {
        checkStructure(statement);
        long compacted = compacted(statement);
        try (ResultSet rows = statement.executeQuery("SELECT * FROM change ORDER BY revision")) {
          while (rows.next()) {
            take(rows, compacted);
          }
        }
        if (state.revision() <= compacted) {
          oldest = state.at(compacted);
        }
        return new Contents(oldest, changes, obsolete);
      }
    }

    /** Costs one pass over the file, which the reading after it then finds in memory. */
    private void checkStructure(Statement statement) throws SQLException {
      try (ResultSet rows = statement.executeQuery("PRAGMA quick_check(1)")) {
        String finding = rows.next() ? rows.getString(1) : "no answer";
        if (!finding.equals("ok")) {
          throw damaged("SQLite says \"" + finding.replace('\n', ' ') + "\"");
        }
      }
    }

    private long compacted(Statement statement) throws SQLException {
      try (ResultSet rows = statement.executeQuery("SELECT revision, checksum FROM compaction")) {
        if (!rows.next()) {
          throw damaged("the revision up to which history was compacted is missing");
        }
        long revision = rows.getLong(1);
        if (revision < 0 || rows.getLong(2) != Checksum.of(revision) || rows.next()) {
          throw damaged("the revision up to which history was compacted is not what was written");
        }
        return revision;
      }
    }

    private void take(ResultSet row, long compacted) throws SQLException {
      long revision = row.getLong("revision");
      if (state.revision() <= compacted && revision > compacted) {
        state = state.at(compacted);
        oldest = state;
      }
      if (revision > compacted && revision != state.revision() + 1) {
        throw damaged("revision %d is missing".formatted(state.revision() + 1));
      }
      Change change = change(row, revision);
      if (revision > compacted && change.before().isEmpty() && change.after().isEmpty()) {
        throw damaged("revision %d deletes %s, not there".formatted(revision, change.key()));
      }
      state = state.apply(change);
      if (revision > compacted) {
        byte[] json = row.getBytes("object");
        changes.add(new History.Kept(change, json == null ? 0 : json.length));
        return;
      }
      change.before().map(State::revisionOf).ifPresent(obsolete::add);
      if (change.after().isEmpty()) {
        obsolete.add(revision);
      }
    }

    private Change change(ResultSet row, long revision) throws SQLException {
      ObjectKey key = key(row);
      byte[] json = row.getBytes("object");
      Encoded encoded = json == null ? Encoded.NOTHING : Encoded.ofBytes(json);
      if (row.getLong("checksum") != Checksum.of(revision, key, encoded)) {
        throw damaged("%s at revision %d is not what was written".formatted(key, revision));
      }
      Optional<ApiObject> before = state.get(key);
      Optional<ApiObject> after =
          json == null ? Optional.empty() : Optional.of(object(key, revision, encoded, before));
      return new Change(revision, key, before, after);
    }

    private ApiObject object(
        ObjectKey key, long revision, Encoded json, Optional<ApiObject> before) {
      try {
        Tree tree = json.decode(revision).tree();
        return new ApiObject(parts.share(tree, before.map(ApiObject::tree).orElse(Tree.EMPTY)));
      } catch (MalformedText unreadable) {
        throw damaged(
            "%s at revision %d is not a JSON object (%s)"
                .formatted(key, revision, unreadable.getMessage()));
      }
    }

    private ObjectKey key(ResultSet row) throws SQLException {
      var kind =
          new ResourceKind(
              row.getString("api_group"),
              row.getString("version"),
              row.getString("kind"),
              row.getString("plural"),
              row.getInt("namespaced") != 0);
      ResourceKind shared = kinds.computeIfAbsent(kind, same -> same);
      return new ObjectKey(shared, row.getString("namespace"), row.getString("name"));
    }

    private UnusableDirectoryException damaged(String problem) {
      return UnusableDirectoryException.damaged(directory, problem);
    }
  }
}
