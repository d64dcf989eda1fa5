package dev.sluice.machine;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a process gets to see volumes at paths of its own: in a private view of the file system,
 * which root may always have, and others where the system lets them be root in a world of their
 * own.
 *
 * @param prefix the command that makes such a view; empty if none can be made
 */
record Namespaces(List<String> prefix) {
  private static final Logger LOG = LoggerFactory.getLogger(Namespaces.class);
  private static final List<List<String>> WAYS =
      List.of(
          List.of("unshare", "--mount"),
          List.of("unshare", "--user", "--map-root-user", "--mount"));

  /** Whether such a view needs no other user. */
  boolean isOfRoot() {
    return prefix.equals(WAYS.getFirst());
  }

  /** A file or folder, and where a process is to see it. */
  record View(Path source, String target, boolean readOnly) {}

  static Namespaces detect() {
    for (List<String> way : WAYS) {
      if (works(way)) {
        return new Namespaces(way);
      }
    }
    LOG.info(
        "volumes cannot be mounted on the local node: this machine does not let sluice create mount"
            + " namespaces");
    return new Namespaces(List.of());
  }

  private static boolean works(List<String> way) {
    var command = new ArrayList<>(way);
    command.addAll(List.of("mount", "--make-rprivate", "/"));
    return CapabilityProbe.succeeds(command);
  }

  /** What the launcher must do to show these, in its words. */
  static List<String> words(List<View> views) {
    var mirrors = new LinkedHashSet<String>();
    var mounts = new ArrayList<String>();
    for (View view : views) {
      if (!Files.exists(Path.of(view.target()))) {
        mirrors.add(nearestFolder(Path.of(view.target())).toString());
      }
      mounts.addAll(
          List.of("mount", view.source().toString(), view.target(), view.readOnly() ? "ro" : "rw"));
    }
    var words = new ArrayList<String>();
    // That of the root comes last, because it shows what the others have made.
    mirrors.stream()
        .filter(folder -> !folder.equals("/"))
        .forEach(folder -> {
          words.addAll(List.of("mirror", folder));
        });
    if (mirrors.contains("/")) {
      words.addAll(List.of("mirror", "/"));
    }
    words.addAll(mounts);
    return words;
  }

  private static Path nearestFolder(Path missing) {
    Path folder = missing;
    while (!Files.isDirectory(folder)) {
      folder = folder.resolve("..").normalize();
    }
    return folder;
  }
}
