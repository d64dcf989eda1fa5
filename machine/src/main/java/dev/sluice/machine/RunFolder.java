package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is kept of one run, in a folder of its own: its log, its working directory, which process it
 * was, and how it ended.
 */
record RunFolder(Path path) {
  private static final Logger LOG = LoggerFactory.getLogger(RunFolder.class);

  /** More than the longest last words, whatever letters they have. */
  private static final int MAX_NOTE = 64 << 10;

  /**
   * Which process a run was, so that it is known again later.
   *
   * @param begun when the system says that it began: pids come back, these moments do not
   */
  record Identity(long pid, Instant begun) {
    static Identity of(Process process) {
      return new Identity(process.pid(), process.info().startInstant().orElse(Instant.EPOCH));
    }
  }

  static RunFolder of(Path pods, RunId id) {
    return new RunFolder(
        pods.resolve(id.pod()).resolve(id.container()).resolve(Integer.toString(id.attempt())));
  }

  /** Makes the folder; no other user may look into it. */
  void create() {
    try {
      Files.createDirectories(
          work(),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot create " + path, failed);
    }
  }

  /** Removes everything of a container that ran only once. */
  void removeContainer() {
    Folders.remove(path.resolve("..").normalize());
  }

  Path work() {
    return path.resolve("work");
  }

  Path scratch() {
    return path.resolve("scratch");
  }

  /** What its process sees where it is to leave its last words. */
  Path message() {
    return path.resolve("message");
  }

  /** Where the launcher says why it could not start the command. */
  Path failure() {
    return path.resolve("failure");
  }

  void writeIdentity(Identity identity) {
    write(
        "process",
        Tree.of("pid", identity.pid(), "begun", Timestamps.formatMicros(identity.begun())));
  }

  Optional<Identity> identity() {
    return read("process")
        .map(tree ->
            new Identity(
                tree.whole("pid").orElse(0),
                Timestamps.parse(tree.text("begun")).orElse(Instant.EPOCH)));
  }

  void writeEnd(State.Ended end) {
    write(
        "end",
        Tree.of(
            "exitCode",
            end.exitCode(),
            "reason",
            end.reason(),
            "message",
            end.message(),
            "started",
            Timestamps.formatMicros(end.started()),
            "finished",
            Timestamps.formatMicros(end.finished())));
  }

  Optional<State.Ended> end() {
    return read("end")
        .map(tree ->
            new State.Ended(
                (int) tree.whole("exitCode").orElse(0),
                tree.text("reason"),
                tree.text("message"),
                Timestamps.parse(tree.text("started")).orElse(Instant.EPOCH),
                Timestamps.parse(tree.text("finished")).orElse(Instant.EPOCH)));
  }

  /** Whole or not at all, also if the machine stops meanwhile. */
  private void write(String name, Tree tree) {
    try {
      Path draft = path.resolve(name + ".draft");
      Files.write(draft, Json.bytes(tree));
      Files.move(draft, path.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot write " + path.resolve(name), failed);
    }
  }

  /** What a pod has damaged, which can write here, counts as missing. */
  private Optional<Tree> read(String name) {
    Path file = path.resolve(name);
    try {
      String text = Folders.head(file, MAX_NOTE);
      return text.isEmpty() ? Optional.empty() : Optional.of(Json.parse(text).asTree());
    } catch (IOException | MalformedText damaged) {
      LOG.warn("{} is damaged: {}", file, damaged.toString());
      return Optional.empty();
    }
  }
}
