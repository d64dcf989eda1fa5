package dev.sluice.apiserver.http.table;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;

/** The word in the column STATUS of a list of pods: the most important fact about the pod. */
final class PodStatusText {
  private final ApiObject pod;
  private final Tree status;

  private PodStatusText(ApiObject pod) {
    this.pod = pod;
    this.status = pod.status();
  }

  static String of(ApiObject pod) {
    return new PodStatusText(pod).word();
  }

  static boolean isFinished(ApiObject pod) {
    String phase = pod.status().text("phase");
    return phase.equals("Succeeded") || phase.equals("Failed");
  }

  private String word() {
    String word = initialization().orElseGet(this::containers);
    if (!pod.isDeleting() || isFinished(pod)) {
      return word;
    }
    return status.text("reason").equals("NodeLost") ? "Unknown" : "Terminating";
  }

  private String phase() {
    boolean gated =
        Condition.find(status, "PodScheduled")
            .filter(condition -> condition.text("reason").equals("SchedulingGated"))
            .isPresent();
    if (gated) {
      return "SchedulingGated";
    }
    String reason = status.text("reason");
    return reason.isEmpty() ? status.text("phase") : reason;
  }

  /** The state of the first init container that has not completed. */
  private Optional<String> initialization() {
    List<Tree> states = status.trees("initContainerStatuses");
    for (int i = 0; i < states.size(); i++) {
      Tree container = states.get(i);
      Tree ended = container.tree("state", "terminated");
      boolean done =
          container.tree("state").has("terminated") && ended.whole("exitCode").orElse(0) == 0;
      boolean sidecarRuns =
          isSidecar(container.text("name"))
              && (container.flag("started") || container.flag("ready"));
      if (done || sidecarRuns) {
        continue;
      }
      String waiting = container.text("state", "waiting", "reason");
      String total = Integer.toString(pod.spec().trees("initContainers").size());
      if (container.tree("state").has("terminated")) {
        return Optional.of("Init:" + ending(ended));
      }
      return Optional.of(
          waiting.isEmpty() || waiting.equals("PodInitializing")
              ? "Init:" + i + "/" + total
              : "Init:" + waiting);
    }
    return Optional.empty();
  }

  private boolean isSidecar(String name) {
    return pod.spec().trees("initContainers").stream()
        .anyMatch(container ->
            container.text("name").equals(name)
                && container.text("restartPolicy").equals("Always"));
  }

  private String containers() {
    String word = phase();
    boolean runs = false;
    for (Tree container : status.trees("containerStatuses").reversed()) {
      Tree state = container.tree("state");
      String waiting = state.text("waiting", "reason");
      if (!waiting.isEmpty()) {
        word = waiting;
      } else if (state.has("terminated")) {
        word = ending(state.tree("terminated"));
      } else if (state.has("running") && container.flag("ready")) {
        runs = true;
      }
    }
    if (word.equals("Completed") && runs) {
      return Condition.holds(status, "Ready") ? "Running" : "NotReady";
    }
    return word;
  }

  private static String ending(Tree terminated) {
    String reason = terminated.text("reason");
    long signal = terminated.whole("signal").orElse(0);
    if (!reason.isEmpty()) {
      return reason;
    }
    return signal != 0 ? "Signal:" + signal : "ExitCode:" + terminated.whole("exitCode").orElse(0);
  }
}
