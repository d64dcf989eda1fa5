package dev.sluice.apiserver.registry.rules.pod;

import java.util.List;

/** Where a file may be in a volume. Every method says what is wrong, or nothing. */
final class VolumePaths {
  private VolumePaths() {}

  /** A path below something, which does not lead out of it. */
  static String problemBelow(String path) {
    if (path.startsWith("/")) {
      return "must be a relative path";
    }
    return stepsBack(path) ? "must not contain '..'" : "";
  }

  /** The same, whose name does not look like one of those by which volumes are kept. */
  static String problemInVolume(String path) {
    String problem = problemBelow(path);
    return problem.isEmpty() && path.startsWith("..") ? "must not start with '..'" : problem;
  }

  static boolean stepsBack(String path) {
    return List.of(path.split("/", -1)).contains("..");
  }
}
