package dev.sluice.apiserver.http.endpoint;

import dev.sluice.model.tree.Tree;

/** The Kubernetes version whose API the server implements. */
final class ServerVersion {
  static final Tree DOCUMENT =
      Tree.of(
          "major",
          "1",
          "minor",
          "36",
          "gitVersion",
          "v1.36.0+sluice",
          "gitCommit",
          "",
          "gitTreeState",
          "clean",
          "buildDate",
          "2026-01-01T00:00:00Z",
          "goVersion",
          "none",
          "compiler",
          "javac",
          "platform",
          "java/" + Runtime.version().feature(),
          "emulationMajor",
          "1",
          "emulationMinor",
          "36",
          "minCompatibilityMajor",
          "1",
          "minCompatibilityMinor",
          "35");

  private ServerVersion() {}
}
