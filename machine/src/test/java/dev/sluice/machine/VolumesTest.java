package dev.sluice.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.controllers.nodes.local.Containers.Run;
import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.controllers.nodes.local.Launch;
import dev.sluice.controllers.nodes.local.Launch.Content;
import dev.sluice.controllers.nodes.local.Launch.FileContent;
import dev.sluice.controllers.nodes.local.Launch.Mount;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@EnabledOnOs(OS.LINUX)
class VolumesTest {
  @TempDir private Path folder;

  @Test
  void volumesAppearAtTheirPathsForTheirPodOnly() throws Exception {
    assumeThat(Namespaces.detect().prefix()).as("a machine with mount namespaces").isNotEmpty();
    Path out = Files.createDirectory(folder.resolve("out"));
    String script =
        "cat /sluice-test-top/greeting /etc/sluice-test/greeting >/sluice-test-host/result;"
            + " echo kept >/sluice-test-scratch/file; (echo no >/etc/sluice-test/greeting)"
            + " 2>/sluice-test-host/error; true";
    List<Mount> mounts =
        List.of(
            new Mount("c", files(), "/sluice-test-top", "", false),
            new Mount("c", files(), "/etc/sluice-test", "", true),
            new Mount("h", new Content.Host(out.toString(), ""), "/sluice-test-host", "", false),
            new Mount("s", new Content.Scratch(), "/sluice-test-scratch/", "part", false));

    run(script, mounts);

    assertThat(out.resolve("result")).hasContent("hello\nhello");
    assertThat(out.resolve("error")).content().contains("Read-only file system");
    assertThat(folder.resolve("node/pods/uid/.volumes/s/part/file")).hasContent("kept");
    assertThat(Path.of("/etc/sluice-test")).doesNotExist();
    assertThat(Path.of("/sluice-test-top")).doesNotExist();
  }

  private void run(String script, List<Mount> mounts) throws Exception {
    try (var machine = new Machine(folder.resolve("node"), "local")) {
      machine.start(
          new RunId("uid", "main", 0),
          new Launch(
              List.of("sh", "-c", script),
              new TreeMap<>(),
              "",
              mounts,
              OptionalLong.empty(),
              OptionalLong.empty()));
      await()
          .until(() ->
              machine.runs("uid").stream()
                  .map(Run::state)
                  .allMatch(state -> state instanceof State.Ended end && end.message().isEmpty()));
    }
  }

  @Test
  void filesHaveTheirModes() throws Exception {
    Path volume = new VolumeFolders(folder).source(mount(files(), ""));

    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(volume.resolve("greeting"))))
        .isEqualTo("rw-r-----");
  }

  @Test
  void nothingLeadsOutOfAVolume() {
    var volumes = new VolumeFolders(folder.resolve("v"));
    SortedMap<String, FileContent> outside = new TreeMap<>();
    outside.put("../x", new FileContent(new byte[0], 0600));

    assertThatThrownBy(() -> volumes.source(mount(new Content.Scratch(), "../other")))
        .isInstanceOf(CannotStartException.class)
        .hasMessageContaining("leads out of its volume");
    var files = new VolumeFolders(folder.resolve("f"));
    assertThatThrownBy(() -> files.source(mount(new Content.Files(outside), "")))
        .isInstanceOf(CannotStartException.class);
  }

  @Test
  void aFolderOfTheMachineMustBeThere() {
    var volumes = new VolumeFolders(folder);
    String missing = folder.resolve("missing").toString();

    assertThatThrownBy(() -> volumes.source(mount(new Content.Host(missing, "Directory"), "")))
        .isInstanceOf(CannotStartException.class)
        .hasMessageContaining("is not a Directory of this machine");
  }

  private static Mount mount(Content content, String subPath) {
    return new Mount("v", content, "/somewhere", subPath, false);
  }

  private static Content files() {
    SortedMap<String, FileContent> files = new TreeMap<>();
    files.put("greeting", new FileContent("hello\n".getBytes(StandardCharsets.UTF_8), 0640));
    return new Content.Files(files);
  }
}
