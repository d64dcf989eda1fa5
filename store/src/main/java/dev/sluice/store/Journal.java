package dev.sluice.store;

import java.io.IOException;
import java.util.List;

/** Where changes are made durable. Threads: one at a time. */
interface Journal extends AutoCloseable {

  /** A change with the JSON of its object; {@link Encoded#NOTHING} for a deletion. */
  record Row(Change change, Encoded json) {}

  /** Keeps the changes, all or none. When it returns, they are on the disk. */
  void append(List<Row> rows) throws IOException;

  /**
   * Keeps in mind the revision up to which history is forgotten. The rows that are no longer needed
   * are dropped in the order given, a few with every append that follows, the rest on closing.
   */
  void compact(long revision, List<Long> obsolete) throws IOException;

  @Override
  void close() throws IOException;
}
