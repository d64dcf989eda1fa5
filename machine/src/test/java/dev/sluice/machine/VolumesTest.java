package dev.sluice.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.controllers.nodes.local.Containers.Run;
import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.controllers.nodes.local.Launch.Content;
import dev.sluice.controllers.nodes.local.Launch.FileContent;
import dev.sluice.controllers.nodes.local.Launch.Mount;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
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
          SampleLaunches.withMounts(SampleLaunches.shell(script), mounts));
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
        .hasMessageContaining("leads out of volume v");
    var files = new VolumeFolders(folder.resolve("f"));
    assertThatThrownBy(() -> files.source(mount(new Content.Files(outside), "")))
        .isInstanceOf(CannotStartException.class);
  }

  @Test
  void aLinkThatThePodLeftHasNothingMadeElsewhere() throws Exception {
    var volumes = new VolumeFolders(folder.resolve("v"));
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Path volume = volumes.source(mount(new Content.Scratch(), ""));
    Files.createSymbolicLink(volume.resolve("link"), outside);

    assertThatThrownBy(() -> volumes.source(mount(new Content.Scratch(), "link/new")))
        .isInstanceOf(CannotStartException.class)
        .hasMessageContaining("subPath link/new leads out of volume v");
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void onlyFilesInsideAVolumeAreRead() throws Exception {
    var volumes = new VolumeFolders(folder.resolve("v"));
    Path secret = Files.writeString(folder.resolve("secret"), "no");
    Path volume = volumes.source(mount(new Content.Scratch(), ""));
    Files.writeString(Files.createDirectory(volume.resolve("deep")).resolve("file"), "yes");
    Files.createSymbolicLink(volume.resolve("within"), Path.of("deep/file"));
    Files.createSymbolicLink(volume.resolve("out"), secret);
    Files.write(volume.resolve("large"), new byte[(1 << 20) + 1]);

    assertThat(volumes.read("v", "deep/file")).hasValue("yes");
    assertThat(volumes.read("v", "/deep/file")).hasValue("yes");
    assertThat(volumes.read("v", "within")).hasValue("yes");
    for (String path : List.of("out", "../../secret", secret.toString(), "deep", "large", "none")) {
      assertThat(volumes.read("v", path)).as(path).isEmpty();
    }
    assertThat(volumes.read("never-mounted", "file")).isEmpty();
  }

  @Test
  void allFilesOfAVolumeChangeAtOnce() throws Exception {
    var volumes = new VolumeFolders(folder);
    Path volume = volumes.source(mount(files(), ""));
    SortedMap<String, FileContent> others = new TreeMap<>();
    others.put("farewell", new FileContent("bye".getBytes(StandardCharsets.UTF_8), 0600));
    others.put("deep/word", new FileContent("low".getBytes(StandardCharsets.UTF_8), 0600));
    SortedMap<String, Content.Files> contents = new TreeMap<>();
    contents.put("v", new Content.Files(others));
    contents.put("never-mounted", new Content.Files(others));

    volumes.refresh(contents);

    assertThat(volume.resolve("farewell")).hasContent("bye");
    assertThat(volume.resolve("deep/word")).hasContent("low");
    assertThat(Files.readSymbolicLink(volume.resolve("farewell")))
        .isEqualTo(Path.of("..data/farewell"));
    assertThat(volume.resolve("greeting")).doesNotExist();
    assertThat(folder.resolve("never-mounted")).doesNotExist();
    // Two names, the link, this version and the one before it.
    assertThat(Folders.names(volume)).hasSize(5);
    Path version = Files.readSymbolicLink(volume.resolve("..data"));
    volumes.refresh(contents);
    assertThat(Files.readSymbolicLink(volume.resolve("..data"))).isEqualTo(version);
  }

  @Test
  void aRunningProcessSeesTheChange() throws Exception {
    assumeThat(Namespaces.detect().prefix()).as("a machine with mount namespaces").isNotEmpty();
    Path out = folder.resolve("out");
    var id = new RunId("uid", "main", 0);
    String script =
        "until grep -q bye /sluice-test-live/greeting; do sleep 0.05; done; cat"
            + " /sluice-test-live/greeting /sluice-test-part >"
            + out;
    List<Mount> mounts =
        List.of(
            new Mount("c", files(), "/sluice-test-live", "", true),
            new Mount("c", files(), "/sluice-test-part", "greeting", true));
    SortedMap<String, FileContent> changed = new TreeMap<>();
    changed.put("greeting", new FileContent("bye\n".getBytes(StandardCharsets.UTF_8), 0640));
    SortedMap<String, Content.Files> contents = new TreeMap<>();
    contents.put("c", new Content.Files(changed));
    try (var machine = new Machine(folder.resolve("node"), "local")) {
      machine.start(id, SampleLaunches.withMounts(SampleLaunches.shell(script), mounts));

      machine.refresh("uid", contents);

      await().until(() -> machine.runs("uid").getFirst().state() instanceof State.Ended);
      // A part of a volume stays as it was, as on every node.
      assertThat(out).hasContent("bye\nhello");
    }
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
