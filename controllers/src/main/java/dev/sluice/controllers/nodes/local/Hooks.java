package dev.sluice.controllers.nodes.local;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.ContainerProcess;
import dev.sluice.model.core.pod.ContainerProcess.Hook;
import dev.sluice.model.core.pod.ContainerProcess.HookAction;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.Probe;
import java.time.Duration;
import java.util.List;

/** The runner of the postStart and preStop hooks of containers. */
record Hooks(
    Containers containers, Launches launches, ProbeQuestions questions, EventRecorder events) {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /**
   * Runs a hook.
   *
   * @param id of the hook's own run
   * @return whether it could be started; if not, its container is terminated
   */
  boolean run(Pod pod, Container container, RunId id, Hook hook) {
    try {
      switch (ContainerProcess.of(container).hook(hook).orElseThrow()) {
        case HookAction.Run(List<String> command) ->
            containers.start(
                id, launches.of(pod, container).withCommand(command, Launch.Streams.NONE));
        case HookAction.Get(Probe page) ->
            containers.call(id, questions.page(container, page), PATIENCE);
      }
      return true;
    } catch (MissingException notThere) {
      events.warning(pod.object(), hook.failure(), notThere.words());
      boolean ignored = containers.terminate(new RunId(id.pod(), container.name(), id.attempt()));
      return false;
    }
  }

  void reportFailure(Pod pod, Hook hook, State.Ended end) {
    String how = end.message().isEmpty() ? "ended with exit code " + end.exitCode() : end.message();
    events.warning(pod.object(), hook.failure(), "%s hook: %s".formatted(hook.word(), how));
  }
}
