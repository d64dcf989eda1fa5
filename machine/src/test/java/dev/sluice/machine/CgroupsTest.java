package dev.sluice.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.nodes.local.Launch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a folder that looks like the system's. */
class CgroupsTest {
  @TempDir private Path root;

  @Test
  void limitsAreWrittenAsTheSystemWantsThem() throws Exception {
    Files.writeString(root.resolve("cgroup.controllers"), "cpuset cpu io memory pids\n");
    Cgroups cgroups = Cgroups.in(root);

    Path group =
        cgroups
            .make("run", new Launch.Limits(OptionalLong.of(1500), OptionalLong.of(64)))
            .orElseThrow();

    assertThat(group).isEqualTo(root.resolve("sluice/run"));
    assertThat(group.resolve("cpu.max")).hasContent("150000 100000");
    assertThat(group.resolve("memory.max")).hasContent("64");
    assertThat(root.resolve("cgroup.subtree_control")).hasContent("+cpu +memory");
    assertThat(root.resolve("sluice/cgroup.subtree_control")).hasContent("+cpu +memory");
  }

  @Test
  void nothingIsMadeForARunWithoutLimits() throws Exception {
    Files.writeString(root.resolve("cgroup.controllers"), "cpu memory\n");

    assertThat(
            Cgroups.in(root)
                .make("run", new Launch.Limits(OptionalLong.empty(), OptionalLong.empty())))
        .isEmpty();
  }

  @Test
  void aMachineWithoutThemEnforcesNothing() throws Exception {
    assertThat(
            Cgroups.in(root)
                .make("run", new Launch.Limits(OptionalLong.of(1), OptionalLong.empty())))
        .isEmpty();
    Files.writeString(root.resolve("cgroup.controllers"), "hugetlb\n");
    assertThat(
            Cgroups.in(root)
                .make("run", new Launch.Limits(OptionalLong.of(1), OptionalLong.empty())))
        .isEmpty();
  }

  @Test
  void itIsKnownWhetherTheMemoryRanOut() throws Exception {
    Files.writeString(root.resolve("memory.events"), "low 0\noom 1\noom_kill 0\n");
    assertThat(Cgroups.ranOutOfMemory(root)).isFalse();
    Files.writeString(root.resolve("memory.events"), "low 0\noom 1\noom_kill 2\n");
    assertThat(Cgroups.ranOutOfMemory(root)).isTrue();
  }
}
