package dev.sluice.model.core.pod;

import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.Optional;

/** The state of a container, as its status shows it. */
public sealed interface ContainerState {

  /** Not started yet, or not started again yet. */
  record Waiting(String reason, String message) implements ContainerState {}

  /** Its process runs. */
  record Running(Instant started) implements ContainerState {}

  /** Its process has ended. */
  record Terminated(long exitCode, String reason, String message, Instant started, Instant finished)
      implements ContainerState {}

  /** The state in a tree, if there is one. */
  static Optional<ContainerState> of(Tree tree) {
    if (tree.at("terminated") instanceof Tree end) {
      return Optional.of(
          new Terminated(
              end.whole("exitCode").orElse(0),
              end.text("reason"),
              end.text("message"),
              instant(end, "startedAt"),
              instant(end, "finishedAt")));
    }
    if (tree.at("running") instanceof Tree running) {
      return Optional.of(new Running(instant(running, "startedAt")));
    }
    return tree.at("waiting") instanceof Tree waiting
        ? Optional.of(new Waiting(waiting.text("reason"), waiting.text("message")))
        : Optional.empty();
  }

  private static Instant instant(Tree tree, String field) {
    return Timestamps.parse(tree.text(field)).orElse(Instant.EPOCH);
  }

  /** The state as a tree. */
  default Tree tree() {
    return switch (this) {
      case Waiting(String reason, String message) ->
          Tree.of("waiting", withMessage(Tree.of("reason", reason), message));
      case Running(Instant started) ->
          Tree.of("running", Tree.of("startedAt", Timestamps.format(started)));
      case Terminated(var exitCode, var reason, var message, var started, var finished) -> {
        Tree end =
            Tree.of(
                "exitCode",
                exitCode,
                "reason",
                reason,
                "startedAt",
                Timestamps.format(started),
                "finishedAt",
                Timestamps.format(finished));
        yield Tree.of("terminated", withMessage(end, message));
      }
    };
  }

  private static Tree withMessage(Tree tree, String message) {
    return message.isEmpty() ? tree : tree.with("message", message);
  }
}
