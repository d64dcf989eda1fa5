package dev.sluice.machine;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What one run writes, a line each: the time, the stream, F or P for a full or a partial line, and
 * the text. Once the file has grown to a limit it becomes the older one, and what was older goes:
 * so a run never keeps more than twice the limit.
 *
 * <p>Threads: safe; guarded by one lock.
 */
final class LogFile implements AutoCloseable {
  static final long LIMIT = 10L << 20;
  private static final int MAX_LINE = 16 << 10;
  private static final Duration MAX_WAIT = Duration.ofMillis(500);
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final Path newer;
  private final Path older;
  private final long limit;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private OutputStream out;
  private long size;
  private long generation;
  private long writes;
  private boolean closed;

  LogFile(Path folder, long limit) throws IOException {
    this.newer = newer(folder);
    this.older = older(folder);
    this.limit = limit;
    this.out = open();
  }

  static Path newer(Path folder) {
    return folder.resolve("log");
  }

  static Path older(Path folder) {
    return folder.resolve("log.1");
  }

  private OutputStream open() throws IOException {
    return new BufferedOutputStream(
        Files.newOutputStream(newer, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
  }

  /** Copies a stream of a process to its end, line by line. */
  void copy(InputStream source, String stream) throws IOException {
    var line = new byte[MAX_LINE];
    var buffer = new byte[MAX_LINE];
    int length = 0;
    for (int count = source.read(buffer); count >= 0; count = source.read(buffer)) {
      for (int i = 0; i < count; i++) {
        if (buffer[i] == '\n') {
          write(stream, 'F', line, length);
          length = 0;
        } else {
          line[length++] = buffer[i];
        }
        if (length == MAX_LINE) {
          write(stream, 'P', line, length);
          length = 0;
        }
      }
      flush();
    }
    if (length > 0) {
      write(stream, 'P', line, length);
      flush();
    }
  }

  private void write(String stream, char kind, byte[] line, int length) throws IOException {
    String head = String.format(Locale.ROOT, "%s %s %c ", words(Instant.now()), stream, kind);
    byte[] start = head.getBytes(StandardCharsets.US_ASCII);
    lock.lock();
    try {
      if (closed) {
        return;
      }
      if (size >= limit) {
        rotate();
      }
      out.write(start);
      out.write(line, 0, length);
      out.write('\n');
      size += start.length + length + 1;
    } finally {
      lock.unlock();
    }
  }

  /** Always with nine digits, so that moments can be compared as texts. */
  static String words(Instant moment) {
    return MOMENT.format(moment);
  }

  private void rotate() throws IOException {
    out.close();
    // The pod may have removed what it wrote, or all of its folder.
    if (Files.exists(newer)) {
      Files.move(newer, older, StandardCopyOption.REPLACE_EXISTING);
    } else {
      Files.createDirectories(newer.resolveSibling(""));
    }
    out = open();
    size = 0;
    generation++;
  }

  private void flush() throws IOException {
    lock.lock();
    try {
      if (!closed) {
        out.flush();
        writes++;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** How often a new file was begun. */
  long generation() {
    lock.lock();
    try {
      return generation;
    } finally {
      lock.unlock();
    }
  }

  /** How much has come so far; to be asked before reading what there is. */
  long progress() {
    lock.lock();
    try {
      return writes;
    } finally {
      lock.unlock();
    }
  }

  /** Waits a short time for more than {@code seen}; returns whether there may ever be more. */
  boolean awaitMore(long seen) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      // Not for long: the writer also has to notice that the reader has gone.
      long nanos = MAX_WAIT.toNanos();
      while (writes == seen && !closed && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
      return writes != seen || !closed;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        changed.signalAll();
        out.close();
      }
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot close the log " + newer, failed);
    } finally {
      lock.unlock();
    }
  }
}
