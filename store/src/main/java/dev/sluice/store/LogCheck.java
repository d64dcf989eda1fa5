package dev.sluice.store;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Looks for damage in a write-ahead log that SQLite would take for its end.
 *
 * <p>Goal: no acknowledged write disappears unnoticed. SQLite reads a log up to the first frame
 * whose checksum is wrong, and takes the rest for a transaction that a crash cut short. That is
 * right only at the very end of the log.
 *
 * <p>Method: a transaction's first frame is written after the log was synced up to the end of the
 * transaction before. So if a broken frame is followed by the end of a transaction, and that by
 * another frame of the same log, the broken frame had been on the disk in one piece. Frames {@code
 * a a! b! b! c!} ({@code !} ends a transaction) with the first {@code a} broken: damage, for {@code
 * b} follows {@code a!}. With {@code c} broken: the usual end after a crash.
 *
 * <p>Frames of an earlier round of the log lie behind the newest; their salts distinguish them.
 */
final class LogCheck {
  private static final int MAGIC = 0x377f0682;
  private static final int HEADER_SIZE = 32;
  private static final int FRAME_HEADER_SIZE = 24;
  private static final int MIN_PAGE = 512;
  private static final int MAX_PAGE = 65_536;

  private final ByteOrder order;
  private final long salts;
  private int first;
  private int second;
  private boolean intact = true;
  private boolean committed;
  private boolean ended;

  private LogCheck(ByteBuffer header) {
    this.order = (header.getInt(0) & 1) == 1 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    this.salts = header.getLong(16);
    add(header, 0, 24);
  }

  /** What a log turned out to hold. */
  enum Finding {
    /** Not one whole transaction: what a crash may leave behind, or a log that was begun again. */
    NOTHING,
    /** Transactions that belong to the file. */
    TRANSACTIONS,
    /** Less than had been on the disk. */
    DAMAGE
  }

  static Finding in(Path log) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(log), 1 << 16)) {
      byte[] start = in.readNBytes(HEADER_SIZE);
      int next = in.read();
      if (start.length < HEADER_SIZE || next < 0) {
        return Finding.NOTHING;
      }
      var header = ByteBuffer.wrap(start);
      var check = new LogCheck(header);
      int pageSize = header.getInt(8);
      if ((header.getInt(0) | 1) != (MAGIC | 1)
          || !check.sumIs(header, 24)
          || pageSize < MIN_PAGE
          || pageSize > MAX_PAGE) {
        return Finding.DAMAGE;
      }
      return check.frames(in, (byte) next, pageSize);
    }
  }

  private Finding frames(InputStream in, byte firstByte, int pageSize) throws IOException {
    byte[] frame = new byte[FRAME_HEADER_SIZE + pageSize];
    frame[0] = firstByte;
    int filled = 1 + in.readNBytes(frame, 1, frame.length - 1);
    while (filled == frame.length) {
      if (lost(ByteBuffer.wrap(frame))) {
        return Finding.DAMAGE;
      }
      filled = in.readNBytes(frame, 0, frame.length);
    }
    return committed ? Finding.TRANSACTIONS : Finding.NOTHING;
  }

  /** Takes the next frame; true if it shows that an earlier one was damaged. */
  private boolean lost(ByteBuffer frame) {
    boolean ours = frame.getLong(8) == salts;
    if (intact) {
      add(frame, 0, 8);
      add(frame, FRAME_HEADER_SIZE, frame.capacity());
      intact = ours && sumIs(frame, 16);
      committed |= intact && endsTransaction(frame);
    } else if (ours && ended) {
      return true;
    }
    if (!intact && ours) {
      ended |= endsTransaction(frame);
    }
    return false;
  }

  private static boolean endsTransaction(ByteBuffer frame) {
    return frame.getInt(4) != 0;
  }

  private boolean sumIs(ByteBuffer holder, int offset) {
    return holder.getInt(offset) == first && holder.getInt(offset + 4) == second;
  }

  /** Adds bytes to the running checksum, as SQLite's file format defines it. */
  private void add(ByteBuffer bytes, int from, int to) {
    ByteBuffer words = bytes.duplicate().order(order);
    for (int at = from; at < to; at += 8) {
      first += words.getInt(at) + second;
      second += words.getInt(at + 4) + first;
    }
  }
}
