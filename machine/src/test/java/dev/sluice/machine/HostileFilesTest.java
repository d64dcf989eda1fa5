package dev.sluice.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Containers.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Processes that do harm to the folder in which they run: nothing of that may be ours. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class HostileFilesTest {
  private static final RunId ID = MachineWorld.FIRST;

  @TempDir private Path folder;
  private MachineWorld world;

  @BeforeEach
  void open() throws IOException {
    world = new MachineWorld(folder.resolve("node"));
  }

  @AfterEach
  void close() {
    world.close();
  }

  private Path run() {
    return folder.resolve("node/pods/uid-1/main/0");
  }

  /** What a process does to its own folder before it ends with the code 3. */
  static final List<String> HARM =
      List.of(
          "rm -rf \"$SLUICE_RUN\"",
          "rm -rf \"$SLUICE_RUN\"; touch \"${SLUICE_RUN%/}\"",
          "cd \"$SLUICE_RUN\"; rm failure; mkfifo failure",
          "cd \"$SLUICE_RUN\"; rm failure; ln -s /dev/zero failure",
          "cd \"$SLUICE_RUN\"; rm -f message; mkfifo message",
          "cd \"$SLUICE_RUN\"; rm log; mkdir log.1 log.1/full",
          "cd \"$SLUICE_RUN\"; mkdir end end/full end.draft");

  @ParameterizedTest
  @FieldSource("HARM")
  void howItEndedIsKnownWhateverItDidToItsFolder(String harm) {
    world.machine.start(ID, SampleLaunches.shell(harm + "; exit 3"));

    assertThat(world.end(ID).exitCode()).isEqualTo(3);
    await().until(() -> world.told.contains("uid-1"));
  }

  @Test
  void aLongLieAboutTheStartIsCut() {
    world.machine.start(
        ID, SampleLaunches.shell("head -c 50000000 /dev/zero >\"$SLUICE_RUN/failure\""));

    assertThat(world.end(ID).message()).hasSizeLessThanOrEqualTo(4096);
  }

  @Test
  void processThatRemovesItsLogCanStillWriteALot() {
    String script = "rm \"$SLUICE_RUN/log\"; yes 0123456789 | head -c 25000000; exit 3";
    world.machine.start(ID, SampleLaunches.shell(script));

    assertThat(world.end(ID).exitCode()).isEqualTo(3);
  }

  @Test
  void foldersTooDeepForAPathAreRemoved() {
    String name = "d".repeat(200);
    String script =
        "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do mkdir %s"
                .formatted(name)
            + " && cd -P %s; done 2>/dev/null".formatted(name);
    world.machine.start(ID, SampleLaunches.shell(script));
    world.end(ID);
    assertThat(run().resolve("work").resolve(name).resolve(name)).exists();

    world.machine.forget("uid-1");

    assertThat(folder.resolve("node/pods/uid-1")).doesNotExist();
  }

  @Test
  void whatLinksLeadToIsNotRemoved() throws IOException {
    Path precious = Files.createDirectory(folder.resolve("precious"));
    Files.writeString(precious.resolve("file"), "mine");
    world.machine.start(ID, SampleLaunches.shell("ln -s " + precious + " link"));
    world.end(ID);

    world.machine.forget("uid-1");

    assertThat(folder.resolve("node/pods/uid-1")).doesNotExist();
    assertThat(precious.resolve("file")).hasContent("mine");
  }

  @Test
  void theNextMachineStartsWhateverWasLeftForIt() throws IOException {
    world.machine.start(ID, SampleLaunches.shell("exit 3"));
    world.end(ID);
    world.machine.start(new RunId("uid-2", "main", 0), SampleLaunches.shell("exit 4"));
    world.end(new RunId("uid-2", "main", 0));
    world.close();
    Files.writeString(run().resolve("end"), "{no json");
    Files.createDirectories(folder.resolve("node/pods/uid-1/main/odd"));
    Files.createDirectories(folder.resolve("node/pods/uid-1/main/99999999999"));
    Files.createDirectories(folder.resolve("node/pods/uid-1/.volumes/7"));
    Files.writeString(folder.resolve("node/pods/file"), "odd");

    try (var again = new Machine(folder.resolve("node"), "local")) {
      assertThat(again.runs("uid-1")).hasSize(1);
      assertThat(again.runs("uid-1").getFirst().state()).isInstanceOf(State.Ended.class);
      assertThat(((State.Ended) again.runs("uid-2").getFirst().state()).exitCode()).isEqualTo(4);
    }
  }
}
