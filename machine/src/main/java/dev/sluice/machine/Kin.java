package dev.sluice.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds the processes of a run wherever they went: all of them inherit a variable that names its
 * folder, also those that left the session of their parents. One that drops the variable as well is
 * found by its cgroup alone, where there are any.
 */
final class Kin {
  /** The variable, which pods can read but not choose. */
  static final String VARIABLE = "SLUICE_RUN";

  private static final Path PROCESSES = Path.of("/proc");
  private static final int LONGEST_HUNT = 50;

  private Kin() {}

  /** Kills every process whose variable begins with the path of a folder, until none is left. */
  static void kill(Path folder) {
    // What forks faster than we look is caught by looking again.
    for (int i = 0; i < LONGEST_HUNT; i++) {
      List<Long> found = find(folder);
      if (found.isEmpty()) {
        return;
      }
      found.forEach(pid -> Signals.send(pid, Signals.KILL));
    }
  }

  /** The processes whose variable begins with the path of a folder. */
  static List<Long> find(Path folder) {
    byte[] wanted = ("\0" + VARIABLE + "=" + folder + "/").getBytes(StandardCharsets.UTF_8);
    try (Stream<Path> all = Files.list(PROCESSES)) {
      return all.filter(path -> Character.isDigit(path.getFileName().toString().charAt(0)))
          .filter(path -> contains(environment(path), wanted))
          .map(path -> Long.parseLong(path.getFileName().toString()))
          .filter(pid -> pid != ProcessHandle.current().pid())
          .toList();
    } catch (IOException unreadable) {
      return List.of();
    }
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
