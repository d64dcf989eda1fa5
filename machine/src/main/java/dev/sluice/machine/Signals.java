package dev.sluice.machine;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Sends signals, which the JDK does for single processes only. Threads: safe. */
final class Signals {
  static final int KILL = 9;
  static final int TERM = 15;

  private static final String NO_SIGNALS = "0".repeat(16);

  private static final MethodHandle SEND =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("kill"),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  private Signals() {}

  /** Sends a signal to one process; one that has gone already is left in peace. */
  static void send(long pid, int signal) {
    call((int) pid, signal);
  }

  /** Sends a signal to every process of a group. */
  static void sendToGroup(long leader, int signal) {
    call((int) -leader, signal);
  }

  /**
   * Whether this program ignores signals, as one does that a script has started in the background:
   * what it starts would ignore them too, and could not be interrupted.
   */
  static boolean areIgnored() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines.anyMatch(line -> line.startsWith("SigIgn:") && !line.endsWith(NO_SIGNALS));
    } catch (IOException unknown) {
      return false;
    }
  }

  private static void call(int target, int signal) {
    if (target == 0 || target == -1 || target == 1) {
      throw new IllegalArgumentException("a signal to " + target + " would reach others");
    }
    try {
      int ignored = (int) SEND.invokeExact(target, signal);
    } catch (Throwable impossible) {
      throw new IllegalStateException("cannot send signals on this machine", impossible);
    }
  }
}
