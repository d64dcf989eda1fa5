package dev.sluice.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Launch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** A pod that starts processes without end, where the system lets us limit their number. */
@Timeout(120)
@EnabledIf("isLimited")
class ForkBombTest {
  private static final int LIMIT = 20;

  /** Starts processes that stay, until it may not start another. */
  private static final String BOMB = "while sleep 1000 & do :; done";

  private final Cgroups cgroups = Cgroups.detect();

  static boolean isLimited() {
    return Cgroups.detect().limitProcesses();
  }

  @Test
  void leavesOtherPodsTheirProcesses() throws Exception {
    Path bombed = make("bombed", "main");
    Path beside = make("bombed", "beside");
    Path other = make("other", "main");
    try {
      Files.writeString(bombed.resolveSibling(ProcessLimit.FILE), Integer.toString(LIMIT));
      Process bomb = start(bombed, BOMB);

      assertThat(bomb.waitFor(60, TimeUnit.SECONDS)).as("the bomb went off").isTrue();
      assertThat(Cgroups.processes(bombed)).hasSizeBetween(LIMIT - 2, LIMIT);
      assertThat(output(start(beside, "echo $(echo no more)"))).doesNotContain("no more");
      assertThat(output(start(other, "echo $(echo as ever)"))).contains("as ever");
    } finally {
      for (Path group : new Path[] {bombed, beside, other}) {
        Cgroups.kill(group);
        Cgroups.remove(group);
      }
      cgroups.forget("fork-bomb-test-bombed");
      cgroups.forget("fork-bomb-test-other");
    }
    assertThat(bombed.getParent()).doesNotExist();
  }

  private Path make(String pod, String container) throws IOException {
    var id = new RunId("fork-bomb-test-" + pod, container, 0);
    return cgroups.make(id, Launch.Limits.NONE).orElseThrow();
  }

  private static Process start(Path group, String script) throws IOException {
    String enter = "echo $$ >\"$1/cgroup.procs\"; " + script;
    return new ProcessBuilder("sh", "-c", enter, "sh", group.toString())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static String output(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
