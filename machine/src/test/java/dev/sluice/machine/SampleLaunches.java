package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Launch;
import java.util.List;
import java.util.TreeMap;

/** What tests start. */
final class SampleLaunches {
  private SampleLaunches() {}

  /** A script without anything special about it. */
  static Launch shell(String script) {
    return Launch.of(List.of("sh", "-c", script), new TreeMap<>());
  }

  static Launch withMounts(Launch launch, List<Launch.Mount> mounts) {
    return changed(launch, launch.directory(), mounts, launch.limits(), launch.message());
  }

  static Launch withMessage(Launch launch, Launch.Message message) {
    return changed(launch, launch.directory(), launch.mounts(), launch.limits(), message);
  }

  static Launch withDirectory(Launch launch, String directory) {
    return changed(launch, directory, launch.mounts(), launch.limits(), launch.message());
  }

  static Launch withLimits(Launch launch, Launch.Limits limits) {
    return changed(launch, launch.directory(), launch.mounts(), limits, launch.message());
  }

  static Launch withStopSignal(Launch launch, int signal) {
    return new Launch(
        launch.command(),
        launch.environment(),
        launch.directory(),
        launch.mounts(),
        launch.limits(),
        launch.message(),
        launch.streams(),
        launch.restraint(),
        signal);
  }

  private static Launch changed(
      Launch launch,
      String directory,
      List<Launch.Mount> mounts,
      Launch.Limits limits,
      Launch.Message message) {
    return new Launch(
        launch.command(),
        launch.environment(),
        directory,
        mounts,
        limits,
        message,
        launch.streams(),
        launch.restraint(),
        launch.stopSignal());
  }
}
