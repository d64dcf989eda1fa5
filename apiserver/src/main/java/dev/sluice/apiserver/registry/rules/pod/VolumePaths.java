package dev.sluice.apiserver.registry.rules.pod;

import java.util.List;

/**
 * The paths of files in volumes. Every method returns the problem with a path, empty if it is
 * valid.
 */
final class VolumePaths {
  private VolumePaths() {}

  /** Validates a relative path that does not leave its parent. */
  static String problemBelow(String path) {
    if (path.startsWith("/")) {
      return "must be a relative path";
    }
    return stepsBack(path) ? "must not contain '..'" : "";
  }

  /**
   * The same for a path whose name does not start with the prefix that volumes use for their own
   * data.
   */
  static String problemInVolume(String path) {
    String problem = problemBelow(path);
    return problem.isEmpty() && path.startsWith("..") ? "must not start with '..'" : problem;
  }

  static boolean stepsBack(String path) {
    return List.of(path.split("/", -1)).contains("..");
  }
}
