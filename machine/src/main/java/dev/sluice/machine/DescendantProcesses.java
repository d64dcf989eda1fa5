package dev.sluice.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Finds the processes of a run wherever they went: all of them inherit a variable that names its
 * folder, also those that left the session of their parents. One that drops the variable as well is
 * found by its cgroup alone, where there are any.
 */
final class DescendantProcesses {
  /** The variable, which pods can read but not choose. */
  static final String VARIABLE = "SLUICE_RUN";

  private static final Path PROCESSES = Path.of("/proc");
  private static final int MAX_HUNT = 50;

  private DescendantProcesses() {}

  /** Kills every process whose variable begins with the path of a folder, until none is left. */
  static void kill(Path folder) {
    // Each is killed as soon as it is found. The system lists processes by their numbers, so the
    // children that one still gets meanwhile mostly stand further down; others the next look finds.
    boolean clean = false;
    for (int i = 0; i < MAX_HUNT && !clean; i++) {
      clean = look(folder, pid -> Signals.send(pid, Signals.KILL)) == 0;
    }
  }

  /** The processes whose variable begins with the path of a folder. */
  static List<Long> find(Path folder) {
    var found = new ArrayList<Long>();
    long ignored = look(folder, found::add);
    return found;
  }

  /** Does something to every such process at once; returns how many there are. */
  private static long look(Path folder, LongConsumer action) {
    byte[] wanted = ("\0" + VARIABLE + "=" + folder + "/").getBytes(StandardCharsets.UTF_8);
    long found = 0;
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
      for (Path process : processes) {
        long pid = Long.parseLong(process.getFileName().toString());
        if (contains(environment(process), wanted) && pid != ProcessHandle.current().pid()) {
          action.accept(pid);
          found++;
        }
      }
    } catch (IOException | DirectoryIteratorException unreadable) {
      return found;
    }
    return found;
  }

  /** Empty for those of others, and for those that are dead but not buried yet. */
  private static byte[] environment(Path process) {
    try {
      byte[] bytes = Files.readAllBytes(process.resolve("environ"));
      byte[] led = new byte[bytes.length + 1];
      System.arraycopy(bytes, 0, led, 1, bytes.length);
      return led;
    } catch (IOException gone) {
      return new byte[0];
    }
  }

  private static boolean contains(byte[] text, byte[] wanted) {
    for (int at = 0; at + wanted.length <= text.length; at++) {
      if (text[at] == 0 && Arrays.equals(text, at, at + wanted.length, wanted, 0, wanted.length)) {
        return true;
      }
    }
    return false;
  }
}
