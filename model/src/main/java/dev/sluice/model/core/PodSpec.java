package dev.sluice.model.core;

import dev.sluice.model.Amounts;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.SortedMap;

/** What a pod, or a template of pods, asks for. */
public record PodSpec(Tree tree) {

  public String nodeName() {
    return tree.text("nodeName");
  }

  public String schedulerName() {
    return tree.text("schedulerName");
  }

  public long priority() {
    return tree.whole("priority").orElse(0);
  }

  public boolean hasSchedulingGates() {
    return !tree.items("schedulingGates").isEmpty();
  }

  public boolean hasSchedulingGate(String name) {
    return tree.trees("schedulingGates").stream().anyMatch(gate -> gate.text("name").equals(name));
  }

  /** The PriorityClass of the pods, empty if they name none. */
  public String priorityClassName() {
    return tree.text("priorityClassName");
  }

  public boolean restartsOnFailure() {
    return tree.text("restartPolicy").equals("OnFailure");
  }

  public boolean usesHostNetwork() {
    return tree.flag("hostNetwork");
  }

  public SortedMap<String, String> nodeSelector() {
    return tree.texts("nodeSelector");
  }

  public NodeAffinity nodeAffinity() {
    return NodeAffinity.of(tree);
  }

  public List<Toleration> tolerations() {
    return tree.trees("tolerations").stream().map(Toleration::of).toList();
  }

  /** Whether it must stand near other pods, or apart from them; a preference does not count. */
  public boolean requiresPodAffinity() {
    return requiresTerms("podAffinity") || requiresTerms("podAntiAffinity");
  }

  private boolean requiresTerms(String affinity) {
    return !tree.items("affinity", affinity, "requiredDuringSchedulingIgnoredDuringExecution")
        .isEmpty();
  }

  /** Whether it must be spread over a topology; a preference does not count. */
  public boolean requiresSpread() {
    return tree.trees("topologySpreadConstraints").stream()
        .anyMatch(constraint -> constraint.text("whenUnsatisfiable").equals("DoNotSchedule"));
  }

  public List<Container> containers() {
    return tree.trees("containers").stream().map(Container::new).toList();
  }

  public List<Container> initContainers() {
    return tree.trees("initContainers").stream().map(Container::new).toList();
  }

  /** What the pod needs on its node, all its containers and their order considered. */
  public Amounts requests() {
    return PodRequests.of(this);
  }

  Amounts overhead() {
    return Amounts.of(tree.tree("overhead"));
  }

  Amounts podLevelRequests() {
    return Amounts.of(tree.tree("resources", "requests"));
  }
}
