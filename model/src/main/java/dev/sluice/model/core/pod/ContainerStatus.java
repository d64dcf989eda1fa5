package dev.sluice.model.core.pod;

import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;

/** The status of a container. */
public record ContainerStatus(Tree tree) {

  /**
   * The status of a container on a node that really runs it.
   *
   * @param id the node's id of its latest process, empty if it has none
   * @param last the end of the process before that one, if there was one
   * @param lastId the node's id of that process
   */
  public static ContainerStatus of(
      Container container,
      String id,
      ContainerState state,
      Optional<ContainerState> last,
      String lastId,
      long restarts,
      boolean ready,
      boolean started) {
    Tree tree =
        Tree.of(
            "name",
            container.name(),
            "image",
            container.image(),
            "imageID",
            "",
            "restartCount",
            restarts,
            "ready",
            ready,
            "started",
            started,
            "state",
            withId(state, id),
            "lastState",
            last.map(before -> withId(before, lastId)).orElse(Tree.EMPTY));
    return new ContainerStatus(
        id.isEmpty()
            ? tree
            : withStopSignal(withResources(tree, container), container).with("containerID", id));
  }

  /** Adds the stop signal, if the container has one. */
  private static Tree withStopSignal(Tree tree, Container container) {
    String signal = ContainerProcess.of(container).stopSignal();
    return signal.isEmpty() ? tree : tree.with("stopSignal", signal);
  }

  private static Tree withResources(Tree tree, Container container) {
    ResourceNeeds needs = container.resources();
    Tree allocated =
        needs.requests().isEmpty()
            ? tree
            : tree.with("allocatedResources", needs.requests().tree());
    return needs.isEmpty() ? allocated : needs.in(allocated);
  }

  private static Tree withId(ContainerState state, String id) {
    return state instanceof ContainerState.Terminated && !id.isEmpty()
        ? state.tree().with(List.of("terminated", "containerID"), id)
        : state.tree();
  }

  public String name() {
    return tree.text("name");
  }

  public Optional<ContainerState> state() {
    return ContainerState.of(tree.tree("state"));
  }

  /** The end of the process before the latest one, if there was one. */
  public Optional<ContainerState> lastState() {
    return ContainerState.of(tree.tree("lastState"));
  }

  public long restarts() {
    return tree.whole("restartCount").orElse(0);
  }
}
