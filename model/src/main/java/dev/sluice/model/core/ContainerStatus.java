package dev.sluice.model.core;

import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Tree;
import java.time.Instant;

/** What is known of one container's life. */
public record ContainerStatus(Tree tree) {

  /** A container that runs and is ready. */
  public static ContainerStatus running(Container container, Instant started) {
    Tree state = Tree.of("running", Tree.of("startedAt", Timestamps.format(started)));
    return new ContainerStatus(
        Tree.of(
            "name",
            container.name(),
            "image",
            container.image(),
            "imageID",
            "",
            "restartCount",
            0,
            "ready",
            true,
            "started",
            true,
            "state",
            state));
  }

  public boolean isTerminated() {
    return tree.at("state", "terminated") instanceof Tree;
  }

  /** As it is after its container ended. */
  public ContainerStatus terminated(long exitCode, String reason, Instant finished) {
    Tree how =
        Tree.of("exitCode", exitCode, "reason", reason, "finishedAt", Timestamps.format(finished));
    String started = tree.text("state", "running", "startedAt");
    how = started.isEmpty() ? how : how.with("startedAt", started);
    return new ContainerStatus(
        tree.with("state", Tree.of("terminated", how)).with("ready", false).with("started", false));
  }
}
