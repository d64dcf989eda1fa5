package dev.sluice.store;

import static dev.sluice.store.Samples.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills processes in the middle of their writes and looks at what they leave. */
@Timeout(120)
class CrashTest {
  private static final int ROUNDS = 4;

  @TempDir Path directory;

  /** What a writer said before it was killed. */
  private static final class Said {
    final Map<String, Long> written = new HashMap<>();
    final Set<String> deleting = new HashSet<>();
    final Set<String> deleted = new HashSet<>();
    long newest;

    void hear(String line) {
      List<String> words = List.of(line.split(" ", -1));
      switch (words.get(0)) {
        case "written" -> written.put(words.get(1), revision(words.get(2)));
        case "deleting" -> deleting.add(words.get(1));
        case "deleted" -> {
          deleted.add(words.get(1));
          revision(words.get(2));
        }
        default -> throw new AssertionError(line);
      }
    }

    private long revision(String word) {
      long revision = Long.parseLong(word);
      newest = Math.max(newest, revision);
      return revision;
    }
  }

  @Test
  void whatWasAcknowledgedSurvivesAKill() {
    Seeds.run(
        1,
        seed -> {
          var random = new Random(seed);
          var said = new Said();
          Path own = directory.resolve(Long.toString(seed));
          for (int round = 0; round < ROUNDS; round++) {
            writeAndKill(own, round, 20 + random.nextInt(3000), said);
            assertKept(own, said);
          }
        });
  }

  private static void writeAndKill(Path own, int round, int lines, Said said) {
    try {
      Process writer = start("write", own.toString(), Integer.toString(round));
      try (BufferedReader out = writer.inputReader()) {
        for (int i = 0; i < lines; i++) {
          said.hear(complete(out.readLine()));
        }
        // Through the handle, which leaves the pipe open.
        assertThat(writer.toHandle().destroyForcibly()).isTrue();
        // What it had said by then is still in the pipe; the last line may be cut short.
        var rest = new ArrayList<String>(out.lines().toList());
        rest.stream().filter(line -> line.endsWith(" .")).forEach(said::hear);
      }
      assertThat(writer.waitFor()).as("killed").isEqualTo(137);
    } catch (IOException | InterruptedException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static String complete(String line) {
    assertThat(line).isNotNull().endsWith(" .");
    return line;
  }

  private static void assertKept(Path own, Said said) {
    try (Store store = Stores.open(own, CrashWriter.HISTORY)) {
      Snapshot snapshot = store.snapshot();
      assertThat(snapshot.revision()).isGreaterThanOrEqualTo(said.newest);
      said.written.forEach((name, revision) -> {
        var kept = snapshot.get(pod("a", name)).map(Samples::revision);
        if (said.deleted.contains(name)) {
          assertThat(kept).as(name).isEmpty();
        } else if (!said.deleting.contains(name)) {
          assertThat(kept).as(name).contains(revision);
        }
      });
    }
  }

  @Test
  void anotherProcessKeepsItsDirectoryUntilItEnds() throws IOException, InterruptedException {
    Process holder = start("hold", directory.toString());
    try (BufferedReader out = holder.inputReader()) {
      assertThat(out.readLine()).isEqualTo("open");

      assertThatThrownBy(() -> Stores.open(directory))
          .isInstanceOf(UnusableDirectoryException.class)
          .hasMessageContaining("is in use by another sluice (pid %d)", holder.pid());
    } finally {
      holder.destroyForcibly().waitFor();
    }
    Stores.open(directory).close();
  }

  @Test
  void deletedLockFileLetsNoSecondProcessIn() throws IOException, InterruptedException {
    Process holder = start("hold", directory.toString());
    try (BufferedReader out = holder.inputReader()) {
      assertThat(out.readLine()).isEqualTo("open");
      Files.delete(directory.resolve(DirectoryLock.FILE));

      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> Stores.open(directory))
            .isInstanceOf(UnusableDirectoryException.class)
            .hasMessageContaining("is in use by another sluice, whose sluice.lock was deleted");
      }
    } finally {
      holder.destroyForcibly().waitFor();
    }
    Stores.open(directory).close();
  }

  private static Process start(String... arguments) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(CrashWriter.class.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
