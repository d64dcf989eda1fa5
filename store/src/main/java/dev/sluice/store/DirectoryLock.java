package dev.sluice.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The right to use a directory, held by at most one store of all processes. The operating system
 * takes it back when the process ends, however it ends.
 *
 * <p>It is a lock on a file of its own, which can be taken before there is a store, and on the file
 * of the store, which stays if the other one is deleted.
 */
final class DirectoryLock implements AutoCloseable {
  static final String FILE = "sluice.lock";

  /**
   * The directories in use by this process. They are looked up before any file is opened: closing a
   * file gives up all locks that the process has on it, those of SQLite on its files too.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  /** The locked byte of the store's file, beyond every byte that SQLite locks or writes. */
  private static final long STORE_BYTE = Long.MAX_VALUE - 1;

  private final Path directory;
  private final FileChannel channel;
  private final boolean found;
  private @Nullable FileChannel store;

  private DirectoryLock(Path directory, FileChannel channel, boolean found) {
    this.directory = directory;
    this.channel = channel;
    this.found = found;
  }

  /** A look at a directory that throws if it should not be touched. */
  interface Inspection {
    void run() throws IOException;
  }

  /**
   * Takes the right to a directory, given by its real path.
   *
   * @param inspection run before a file is made in the directory
   * @throws UnusableDirectoryException if another store has it
   */
  static DirectoryLock take(Path directory, Inspection inspection) throws IOException {
    if (!HELD.add(directory)) {
      throw inUse(directory, " (pid %d)".formatted(ProcessHandle.current().pid()));
    }
    boolean taken = false;
    try {
      inspection.run();
      var lock = tryFile(directory);
      taken = true;
      return lock;
    } finally {
      if (!taken) {
        HELD.remove(directory);
      }
    }
  }

  private static DirectoryLock tryFile(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    boolean found = Files.exists(file);
    Optional<FileChannel> channel =
        tryLock(
            FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                OwnerOnly.ofFile(file)),
            0,
            Long.MAX_VALUE);
    if (channel.isEmpty()) {
      throw inUse(directory, holder(file));
    }
    return new DirectoryLock(directory, channel.get(), found);
  }

  /** The channel with the lock, empty and closed if another process has it. */
  private static Optional<FileChannel> tryLock(FileChannel channel, long position, long size)
      throws IOException {
    boolean locked = false;
    try {
      locked = channel.tryLock(position, size, false) != null;
    } catch (OverlappingFileLockException sameProcess) {
      // Held through another class loader: in use like any other.
    } finally {
      if (!locked) {
        channel.close();
      }
    }
    return locked ? Optional.of(channel) : Optional.empty();
  }

  /**
   * Throws if another process holds the store's file: then the lock file that it took was deleted.
   */
  void refuseHeld(Path file) throws IOException {
    lockStore(file).close();
  }

  private FileChannel lockStore(Path file) throws IOException {
    return tryLock(FileChannel.open(file, StandardOpenOption.WRITE), STORE_BYTE, 1)
        .orElseThrow(() -> inUse(directory, ", whose " + FILE + " was deleted"));
  }

  /**
   * Locks the store's file, and writes this process into the lock file for the message that others
   * get. Called once the store is open: this process must not close the file for as long as it
   * holds the lock, and SQLite leaves that until its last connection is closed.
   */
  void hold(Path file) throws IOException {
    store = lockStore(file);
    sign();
  }

  /** Names the holder, unless it has not signed yet and the file still names one that is gone. */
  private static String holder(Path file) throws IOException {
    String text = Files.readString(file, StandardCharsets.US_ASCII).strip();
    boolean alive =
        text.matches("[0-9]{1,18}") && ProcessHandle.of(Long.parseLong(text)).isPresent();
    return alive ? " (pid " + text + ")" : "";
  }

  private static UnusableDirectoryException inUse(Path directory, String holder) {
    return new UnusableDirectoryException(
        directory,
        "is in use by another sluice" + holder,
        "stop that one first, or name another directory");
  }

  private void sign() throws IOException {
    byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
    channel.truncate(0);
    channel.write(ByteBuffer.wrap(pid), 0);
  }

  /** Gives the right back and leaves the directory as it was found. */
  void abandon() throws IOException {
    if (!found) {
      Files.deleteIfExists(directory.resolve(FILE));
    }
    release();
  }

  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      channel.truncate(0);
      release();
    }
  }

  private void release() throws IOException {
    if (store != null) {
      store.close();
    }
    channel.close();
    HELD.remove(directory);
  }
}
