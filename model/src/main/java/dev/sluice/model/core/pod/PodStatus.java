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

/** What is known of a pod's life. */
public record PodStatus(Tree tree) {
  public static final String READY = "Ready";
  public static final String CONTAINERS_READY = "ContainersReady";
  public static final String INITIALIZED = "Initialized";
  public static final String POD_SCHEDULED = "PodScheduled";
  public static final String DISRUPTION_TARGET = "DisruptionTarget";
  public static final String READY_TO_START = "PodReadyToStartContainers";

  /** The conditions that a node tells. */
  private static final List<String> OF_NODE =
      List.of(READY_TO_START, INITIALIZED, CONTAINERS_READY, READY);

  private static final String CONTAINERS = "containerStatuses";
  private static final String INIT_CONTAINERS = "initContainerStatuses";

  public Pod.Phase phase() {
    return Pod.Phase.of(tree.text("phase"));
  }

  /** Why the pod as a whole is as it is, in words. */
  public String message() {
    return tree.text("message");
  }

  /** The node that the scheduler keeps room on for it, empty if there is none. */
  public String nominatedNodeName() {
    return tree.text("nominatedNodeName");
  }

  /** The same status with this node, or with none where the name is empty. */
  public PodStatus withNominatedNodeName(String node) {
    return new PodStatus(
        node.isEmpty() ? tree.without("nominatedNodeName") : tree.with("nominatedNodeName", node));
  }

  public boolean holds(String condition) {
    return Condition.holds(tree, condition);
  }

  /** The reason that a condition gives, empty if it is not there. */
  public String reason(String condition) {
    return Condition.find(tree, condition).map(found -> found.text("reason")).orElse("");
  }

  /** The message that a condition gives, empty if it is not there. */
  public String message(String condition) {
    return Condition.find(tree, condition).map(found -> found.text("message")).orElse("");
  }

  public Optional<Instant> readySince() {
    return holds(READY) ? Condition.since(tree, READY) : Optional.empty();
  }

  Optional<Instant> notReadySince() {
    return holds(READY) ? Optional.empty() : Condition.since(tree, READY);
  }

  /** The moment since which its node has known it. */
  public Optional<Instant> started() {
    return Timestamps.parse(tree.text("startTime"));
  }

  /** Restarts of all containers together. */
  public long restarts() {
    return sumOfRestarts(CONTAINERS) + sumOfRestarts(INIT_CONTAINERS);
  }

  private long sumOfRestarts(String list) {
    return tree.trees(list).stream().mapToLong(PodStatus::restartCount).sum();
  }

  /** Restarts of the container that restarted most. */
  public long mostRestarts() {
    return tree.trees(CONTAINERS).stream().mapToLong(PodStatus::restartCount).max().orElse(0);
  }

  /** Restarts of the sidecar that restarted most. */
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

  /** When the last container ended, if all of them did and say when. */
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

  /** Why the pod as a whole is as it is. */
  public PodStatus withReason(String reason, String message) {
    return new PodStatus(tree.with("reason", reason).with("message", message));
  }

  public PodStatus withStarted(Instant moment) {
    return new PodStatus(tree.with("startTime", Timestamps.format(moment)));
  }

  /** All addresses that it has, the one that most people mean first. */
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

  /** With a condition, which has no reason or no message where these are empty. */
  public PodStatus withCondition(Condition condition, Instant now) {
    Tree changed = condition.in(tree, now);
    List<Tree> conditions =
        changed.trees("conditions").stream().map(PodStatus::withoutEmptyWords).toList();
    return new PodStatus(changed.with("conditions", Items.of(conditions)));
  }

  /** The same, with the generation of the pod of which it is said, if that is known. */
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

  /** With these statuses of the containers of either list. */
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

  /** Why a container waits, in one word; empty if it does not or nobody says so. */
  public String waitingReason(String container) {
    return Stream.concat(initContainers().stream(), containers().stream())
        .filter(status -> status.name().equals(container))
        .map(status -> status.tree().text("state", "waiting", "reason"))
        .findFirst()
        .orElse("");
  }

  /** Says which generation of the pod its node has seen, also in the node's conditions. */
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
