package dev.sluice.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a folder that looks like the system's. */
class CgroupsTest {
  private static final RunId ID = new RunId("uid", "main", 0);
  private static final Launch.Limits LIMITS =
      new Launch.Limits(OptionalLong.of(1500), OptionalLong.of(64));

  @TempDir private Path root;

  private Path make(Launch.Limits limits) throws IOException {
    return Cgroups.in(root).make(ID, limits).orElseThrow();
  }

  @Test
  void limitsAreWrittenAsTheSystemWantsThem() throws Exception {
    Files.writeString(root.resolve("cgroup.controllers"), "cpuset cpu io memory pids\n");

    Path group = make(LIMITS);

    assertThat(group).isEqualTo(root.resolve("sluice/uid/main-0"));
    assertThat(group.resolve("cpu.max")).hasContent("150000 100000");
    assertThat(group.resolve("memory.max")).hasContent("64");
    for (String above : List.of("", "sluice", "sluice/uid")) {
      assertThat(root.resolve(above).resolve("cgroup.subtree_control"))
          .hasContent("+cpu +memory +pids");
    }
  }

  @Test
  void aPodHasAnEighthOfTheProcessesAndAllPodsThreeQuarters() throws Exception {
    Files.writeString(root.resolve("cgroup.controllers"), "memory pids\n");
    Files.writeString(root.resolve("pids.max"), "800\n");

    Path group = make(Launch.Limits.NONE);

    assertThat(group).isEmptyDirectory();
    assertThat(root.resolve("sluice/uid/pids.max")).hasContent("100");
    assertThat(root.resolve("sluice/pids.max")).hasContent("600");
  }

  @Test
  void withoutALimitOfItsOwnAGroupHasThatOfTheMachine() throws Exception {
    long ofMachine = ProcessLimit.in(root).all();
    Files.writeString(root.resolve("pids.max"), "max\n");

    assertThat(ProcessLimit.in(root).all()).isEqualTo(ofMachine).isGreaterThan(300);
    assertThat(new ProcessLimit(1).ofOnePod()).isEqualTo(1);
  }

  @Test
  void aRunWithoutLimitsHasAGroupToo() throws Exception {
    Files.writeString(root.resolve("cgroup.controllers"), "cpu memory\n");

    assertThat(make(Launch.Limits.NONE)).isEmptyDirectory();
  }

  @Test
  void whereNothingCanBeLimitedThereAreGroupsAllTheSame() throws Exception {
    Files.writeString(root.resolve("cgroup.controllers"), "hugetlb\n");

    assertThat(make(LIMITS)).isEmptyDirectory();
  }

  @Test
  void ourOwnPlaceIsTakenWhereTheRootIsNotOurs() throws Exception {
    Path closed = Files.createFile(root.resolve("closed"));
    Path own = Files.createDirectory(root.resolve("own"));

    assertThat(Cgroups.in(closed, own).make(ID, Launch.Limits.NONE))
        .hasValue(own.resolve("sluice/uid/main-0"));
    assertThat(Cgroups.in(closed).make(ID, LIMITS)).isEmpty();
  }

  @Test
  void aGroupIsEndedAsAWhole() throws Exception {
    Path group = make(Launch.Limits.NONE);
    Path kill = Files.createFile(group.resolve("cgroup.kill"));

    Cgroups.kill(group);
    assertThat(kill).hasContent("1");

    Files.delete(kill);
    Cgroups.in(root).clear(ID);
    assertThat(group).doesNotExist();
    Cgroups.in(root).forget(ID.pod());
    assertThat(group.getParent()).doesNotExist();
  }

  @Test
  void itIsKnownWhetherTheMemoryRanOut() throws Exception {
    Files.writeString(root.resolve("memory.events"), "low 0\noom 1\noom_kill 0\n");
    assertThat(Cgroups.ranOutOfMemory(root)).isFalse();
    Files.writeString(root.resolve("memory.events"), "low 0\noom 1\noom_kill 2\n");
    assertThat(Cgroups.ranOutOfMemory(root)).isTrue();
  }
}
