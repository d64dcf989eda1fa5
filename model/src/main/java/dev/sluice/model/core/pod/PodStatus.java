package dev.sluice.model.core.pod;

import dev.sluice.model.Condition;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The status of a pod. */
public record PodStatus(Tree tree) {
  public static final String READY = "Ready";
  public static final String CONTAINERS_READY = "ContainersReady";
  public static final String INITIALIZED = "Initialized";
  public static final String POD_SCHEDULED = "PodScheduled";
  public static final String DISRUPTION_TARGET = "DisruptionTarget";
  public static final String READY_TO_START = "PodReadyToStartContainers";

  /** The conditions that the node reports. */
  private static final List<String> OF_NODE =
      List.of(READY_TO_START, INITIALIZED, CONTAINERS_READY, READY);

  private static final String CONTAINERS = "containerStatuses";
  private static final String INIT_CONTAINERS = "initContainerStatuses";

  public Pod.Phase phase() {
    return Pod.Phase.of(tree.text("phase"));
  }

  /** The message of the status. */
  public String message() {
    return tree.text("message");
  }

  /** The nominated node, empty if there is none. */
  public String nominatedNodeName() {
    return tree.text("nominatedNodeName");
  }

  /** With a nominated node, or with none if the name is empty. */
  public PodStatus withNominatedNodeName(String node) {
    return new PodStatus(
        node.isEmpty() ? tree.without("nominatedNodeName") : tree.with("nominatedNodeName", node));
  }

  public boolean holds(String condition) {
    return Condition.holds(tree, condition);
  }

  /** The reason of a condition, empty if it is missing. */
  public String reason(String condition) {
    return Condition.find(tree, condition).map(found -> found.text("reason")).orElse("");
  }

  /** The message of a condition, empty if it is missing. */
  public String message(String condition) {
    return Condition.find(tree, condition).map(found -> found.text("message")).orElse("");
  }

  public Optional<Instant> readySince() {
    return holds(READY) ? Condition.since(tree, READY) : Optional.empty();
  }

  Optional<Instant> notReadySince() {
    return holds(READY) ? Optional.empty() : Condition.since(tree, READY);
  }

  /** The time at which its node acknowledged it. */
  public Optional<Instant> started() {
    return Timestamps.parse(tree.text("startTime"));
  }

  /** The restarts of all containers together. */
  public long restarts() {
    return sumOfRestarts(CONTAINERS) + sumOfRestarts(INIT_CONTAINERS);
  }

  private long sumOfRestarts(String list) {
    return tree.trees(list).stream().mapToLong(PodStatus::restartCount).sum();
  }

  /** The restarts of the container with the most. */
  public long mostRestarts() {
    return tree.trees(CONTAINERS).stream().mapToLong(PodStatus::restartCount).max().orElse(0);
  }

  /** The restarts of the sidecar with the most. */
  public long mostSidecarRestarts(PodSpec spec) {
    List<String> sidecars = sidecars(spec);
    return tree.trees(INIT_CONTAINERS).stream()
        .filter(status -> sidecars.contains(status.text("name")))
        .mapToLong(PodStatus::restartCount)
        .max()
        .orElse(0);
  }

  private static long restartCount(Tree containerStatus) {
    return containerStatus.whole("restartCount").orElse(0);
  }

  private static List<String> sidecars(PodSpec spec) {
    return spec.initContainers().stream()
        .filter(Container::isSidecar)
        .map(Container::name)
        .toList();
  }

  /** The time at which the last container ended, if all of them ended and have a time. */
  Optional<Instant> lastContainerEnd(PodSpec spec) {
    List<Tree> statuses = tree.trees(CONTAINERS);
    if (statuses.isEmpty() || !statuses.stream().allMatch(status -> end(status).isPresent())) {
      return Optional.empty();
    }
    List<String> sidecars = sidecars(spec);
    var all = new ArrayList<Tree>(statuses);
    tree.trees(INIT_CONTAINERS).stream()
        .filter(status -> sidecars.contains(status.text("name")))
        .forEach(all::add);
    return all.stream().flatMap(status -> end(status).stream()).max(Instant::compareTo);
  }

  private static Optional<Instant> end(Tree containerStatus) {
    return Timestamps.parse(containerStatus.text("state", "terminated", "finishedAt"));
  }

  public PodStatus withPhase(Pod.Phase phase) {
    return new PodStatus(tree.with("phase", phase.word()));
  }

  /** With a reason and a message. */
  public PodStatus withReason(String reason, String message) {
    return new PodStatus(tree.with("reason", reason).with("message", message));
  }

  public PodStatus withStarted(Instant time) {
    return new PodStatus(tree.with("startTime", Timestamps.format(time)));
  }

  /** All addresses, the primary one first. */
  public List<String> addresses() {
    List<String> all = tree.trees("podIPs").stream().map(each -> each.text("ip")).toList();
    String one = tree.text("podIP");
    return all.isEmpty() && !one.isEmpty() ? List.of(one) : all;
  }

  public PodStatus withAddresses(String podAddress, String hostAddress) {
    return new PodStatus(
        tree.with("podIP", podAddress)
            .with("podIPs", List.of(Tree.of("ip", podAddress)))
            .with("hostIP", hostAddress)
            .with("hostIPs", List.of(Tree.of("ip", hostAddress))));
  }

  /** With a condition, whose reason and message are omitted if empty. */
  public PodStatus withCondition(Condition condition, Instant now) {
    Tree changed = condition.in(tree, now);
    List<Tree> conditions =
        changed.trees("conditions").stream().map(PodStatus::withoutEmptyWords).toList();
    return new PodStatus(changed.with("conditions", Items.of(conditions)));
  }

  /** With a condition for an observed generation of the pod, if that is known. */
  public PodStatus withCondition(Condition condition, Instant now, long generation) {
    PodStatus changed = withCondition(condition, now);
    return generation == 0
        ? changed
        : changed.observedAt(generation, type -> type.equals(condition.type()));
  }

  private static Tree withoutEmptyWords(Tree condition) {
    Tree changed = condition;
    for (String word : List.of("reason", "message")) {
      changed = changed.text(word).isEmpty() ? changed.without(word) : changed;
    }
    return changed;
  }

  /** With these statuses of the containers and init containers. */
  public PodStatus withContainers(
      List<ContainerStatus> initContainers, List<ContainerStatus> containers) {
    Tree changed =
        tree.with(CONTAINERS, Items.of(containers.stream().map(ContainerStatus::tree).toList()));
    return new PodStatus(
        initContainers.isEmpty()
            ? changed
            : changed.with(
                INIT_CONTAINERS,
                Items.of(initContainers.stream().map(ContainerStatus::tree).toList())));
  }

  public List<ContainerStatus> containers() {
    return tree.trees(CONTAINERS).stream().map(ContainerStatus::new).toList();
  }

  public List<ContainerStatus> initContainers() {
    return tree.trees(INIT_CONTAINERS).stream().map(ContainerStatus::new).toList();
  }

  /** The reason why a container is waiting; empty if it is not waiting or has none. */
  public String waitingReason(String container) {
    return Stream.concat(initContainers().stream(), containers().stream())
        .filter(status -> status.name().equals(container))
        .map(status -> status.tree().text("state", "waiting", "reason"))
        .findFirst()
        .orElse("");
  }

  /** With an observed generation, also in the conditions of the node. */
  public PodStatus observedAt(long generation) {
    PodStatus changed = observedAt(generation, OF_NODE::contains);
    return new PodStatus(changed.tree.with("observedGeneration", generation));
  }

  private PodStatus observedAt(long generation, Predicate<String> types) {
    List<Tree> conditions =
        tree.trees("conditions").stream()
            .map(condition ->
                types.test(condition.text("type"))
                    ? condition.with("observedGeneration", generation)
                    : condition)
            .toList();
    return new PodStatus(tree.with("conditions", Items.of(conditions)));
  }
}
