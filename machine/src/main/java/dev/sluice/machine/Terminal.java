package dev.sluice.machine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A terminal without a screen: what is written here is typed there, and what is shown there is read
 * here. The JDK knows none, so the system is asked for it.
 *
 * <p>Threads: safe; one may read while another writes. Reading and writing block the thread.
 */
final class Terminal implements AutoCloseable {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  private static final MethodHandle OPEN = function("posix_openpt", INT, INT);
  private static final MethodHandle UNLOCK = function("unlockpt", INT, INT);
  private static final MethodHandle NAME =
      function("ptsname_r", INT, INT, ValueLayout.ADDRESS, LONG);
  private static final MethodHandle READ = function("read", LONG, INT, ValueLayout.ADDRESS, LONG);
  private static final MethodHandle WRITE = function("write", LONG, INT, ValueLayout.ADDRESS, LONG);
  private static final MethodHandle CLOSE = function("close", INT, INT);
  private static final MethodHandle POLL = function("poll", INT, ValueLayout.ADDRESS, LONG, INT);
  private static final MethodHandle RESIZE =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("ioctl"),
          FunctionDescriptor.of(INT, INT, LONG, ValueLayout.ADDRESS),
          Linker.Option.firstVariadicArg(2));

  /** For reading and writing, not as our own terminal, and not for our children. */
  private static final int OPEN_FLAGS = 02 | 0400 | 02000000;

  private static final long SET_SIZE = 0x5414;
  private static final short READABLE = 1;
  private static final int PATIENCE_MILLIS = 500;
  private static final int BUFFER = 16 << 10;

  private final int handle;
  private final String path;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Terminal(int handle, String path) {
    this.handle = handle;
    this.path = path;
  }

  static Terminal open() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      int handle = (int) OPEN.invokeExact(OPEN_FLAGS);
      MemorySegment name = arena.allocate(128);
      if (handle < 0
          || (int) UNLOCK.invokeExact(handle) != 0
          || (int) NAME.invokeExact(handle, name, 128L) != 0) {
        throw new IOException("this machine has no terminal to spare");
      }
      return new Terminal(handle, name.getString(0));
    } catch (IOException failed) {
      throw failed;
    } catch (Throwable impossible) {
      throw new IllegalStateException("cannot make terminals on this machine", impossible);
    }
  }

  private static MethodHandle function(
      String name, ValueLayout result, java.lang.foreign.MemoryLayout... arguments) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, arguments));
  }

  /** Where a process opens it. */
  String path() {
    return path;
  }

  /** What is shown, until no process has the terminal open any more. */
  InputStream output() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] bytes, int from, int length) {
        return Terminal.this.read(bytes, from, Math.min(length, BUFFER));
      }
    };
  }

  private int read(byte[] bytes, int from, int length) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(BUFFER);
      MemorySegment question = arena.allocate(8);
      question.set(INT, 0, handle);
      question.set(ValueLayout.JAVA_SHORT, 4, READABLE);
      int ready = 0;
      // Not for long at a time: a read that waits would keep a closed terminal alive.
      while (ready == 0 && !closed.get()) {
        ready = (int) POLL.invokeExact(question, 1L, PATIENCE_MILLIS);
      }
      long count = ready > 0 ? (long) READ.invokeExact(handle, buffer, (long) length) : -1;
      if (count <= 0) {
        return -1;
      }
      MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, bytes, from, (int) count);
      return (int) count;
    } catch (Throwable impossible) {
      throw new IllegalStateException("cannot read from " + path, impossible);
    }
  }

  /** What is typed. Its end is typed too, as one does on a keyboard. */
  OutputStream input() {
    return new OutputStream() {
      @Override
      public void write(int letter) throws IOException {
        write(new byte[] {(byte) letter}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        Terminal.this.write(bytes, from, length);
      }

      @Override
      public void close() throws IOException {
        write(4);
      }
    };
  }

  private void write(byte[] bytes, int from, int length) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(Math.max(1, length));
      MemorySegment.copy(bytes, from, buffer, ValueLayout.JAVA_BYTE, 0, length);
      long written = 0;
      while (written < length && !closed.get()) {
        long count =
            (long) WRITE.invokeExact(handle, buffer.asSlice(written), (long) length - written);
        if (count < 0) {
          throw new IOException("no process has " + path + " open any more");
        }
        written += count;
      }
    } catch (IOException gone) {
      throw gone;
    } catch (Throwable impossible) {
      throw new IllegalStateException("cannot write to " + path, impossible);
    }
  }

  void resize(int columns, int rows) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment size = arena.allocate(8);
      size.set(ValueLayout.JAVA_SHORT, 0, (short) rows);
      size.set(ValueLayout.JAVA_SHORT, 2, (short) columns);
      int ignored = (int) RESIZE.invokeExact(handle, SET_SIZE, size);
    } catch (Throwable impossible) {
      throw new IllegalStateException("cannot resize " + path, impossible);
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      try {
        int ignored = (int) CLOSE.invokeExact(handle);
      } catch (Throwable impossible) {
        throw new IllegalStateException("cannot close " + path, impossible);
      }
    }
  }
}
