package dev.sluice.machine;

import dev.sluice.runtime.ContainerLogs.LogRequest;
import dev.sluice.runtime.ContainerLogs.Sink;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Optional;

/** Copies the wanted lines of one run's log. Used once, by one thread. */
final class LogReader {
  private static final int BATCH = 32 << 10;

  private final LogRequest question;
  private final Sink sink;
  private final Path folder;
  private final String since;
  private final ByteArrayOutputStream batch = new ByteArrayOutputStream();
  private final ArrayDeque<byte[]> last = new ArrayDeque<>();
  private long left;
  private boolean lineBegins = true;
  private boolean collecting;

  LogReader(LogRequest question, Path folder, Sink sink) {
    this.question = question;
    this.sink = sink;
    this.folder = folder;
    this.left = question.bytes().orElse(Long.MAX_VALUE);
    this.since = question.since().map(LogFile::words).orElse("");
    this.collecting = question.lines().isPresent();
  }

  /**
   * @param live the log, if it may still grow
   */
  void copy(Optional<LogFile> live) throws IOException, InterruptedException {
    long generation = live.map(LogFile::generation).orElse(0L);
    readFile(LogFile.older(folder));
    Optional<LogFile> followed = live.filter(_ -> question.follow());
    InputStream file = open(LogFile.newer(folder));
    try {
      while (true) {
        long seen = followed.map(LogFile::progress).orElse(0L);
        readLines(file);
        writeLast();
        flush();
        if (followed.isEmpty() || left <= 0 || sink.isAbandoned()) {
          return;
        }
        if (followed.get().generation() != generation) {
          // The file was replaced by a new one; what was left of the old one is read by now.
          readLines(file);
          file.close();
          generation = followed.get().generation();
          file = open(LogFile.newer(folder));
        } else if (!followed.get().awaitMore(seen)) {
          readLines(file);
          flush();
          return;
        }
      }
    } finally {
      file.close();
    }
  }

  private void readFile(Path path) throws IOException {
    try (InputStream file = open(path)) {
      readLines(file);
    }
  }

  private static InputStream open(Path path) throws IOException {
    try {
      return new BufferedInputStream(Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS));
    } catch (NoSuchFileException none) {
      return new ByteArrayInputStream(new byte[0]);
    }
  }

  /** Reads to the end of what there is; a line that is not complete yet is left for later. */
  private void readLines(InputStream file) throws IOException {
    while (left > 0 && !sink.isAbandoned()) {
      file.mark(1 << 20);
      byte[] line = readLine(file);
      if (line.length == 0) {
        file.reset();
        return;
      }
      take(line);
    }
  }

  private static byte[] readLine(InputStream file) throws IOException {
    var line = new ByteArrayOutputStream();
    for (int next = file.read(); next >= 0; next = file.read()) {
      line.write(next);
      if (next == '\n') {
        return line.toByteArray();
      }
    }
    return new byte[0];
  }

  private void take(byte[] line) throws IOException {
    int moment = indexOf(line, ' ', 0);
    int stream = indexOf(line, ' ', moment + 1);
    if (moment < 0 || stream < 0 || stream + 3 > line.length) {
      return;
    }
    String when = new String(line, 0, moment, StandardCharsets.US_ASCII);
    String which = new String(line, moment + 1, stream - moment - 1, StandardCharsets.US_ASCII);
    boolean wanted = question.stream().isEmpty() || question.stream().equals(which);
    if (!wanted || when.compareTo(since) < 0) {
      return;
    }
    boolean full = line[stream + 1] == 'F';
    byte[] text = Arrays.copyOfRange(line, stream + 3, full ? line.length : line.length - 1);
    byte[] head =
        question.timestamps() && lineBegins
            ? (when + " ").getBytes(StandardCharsets.US_ASCII)
            : new byte[0];
    put(joined(head, text), lineBegins);
    lineBegins = full;
  }

  private static int indexOf(byte[] bytes, char letter, int from) {
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] == letter) {
        return i;
      }
    }
    return -1;
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private void put(byte[] text, boolean newLine) throws IOException {
    if (!collecting) {
      send(text);
      return;
    }
    byte[] begun = newLine || last.isEmpty() ? new byte[0] : last.removeLast();
    last.addLast(joined(begun, text));
    if (last.size() > question.lines().orElse(0)) {
      last.removeFirst();
    }
  }

  /** Ends the collection of the last lines there are: what comes from now on is sent at once. */
  private void writeLast() throws IOException {
    collecting = false;
    while (!last.isEmpty()) {
      send(last.removeFirst());
    }
  }

  private void send(byte[] text) throws IOException {
    int length = (int) Math.min(left, text.length);
    batch.write(text, 0, length);
    left -= length;
    if (batch.size() >= BATCH) {
      flush();
    }
  }

  private void flush() throws IOException {
    if (batch.size() > 0) {
      sink.write(batch.toByteArray());
      batch.reset();
    }
  }
}
