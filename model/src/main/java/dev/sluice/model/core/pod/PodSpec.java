package dev.sluice.model.core.pod;

import dev.sluice.model.Amounts;
import dev.sluice.model.Quantities;
import dev.sluice.model.core.node.NodeAffinity;
import dev.sluice.model.core.node.PreferredNodeTerm;
import dev.sluice.model.core.node.Toleration;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

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

  /** What it would like of its node's labels. */
  public List<PreferredNodeTerm> preferredNodeTerms() {
    return PreferredNodeTerm.of(tree);
  }

  public List<PodAffinityTerm> requiredAffinity() {
    return PodAffinityTerm.required(tree, "podAffinity");
  }

  public List<PodAffinityTerm> requiredAntiAffinity() {
    return PodAffinityTerm.required(tree, "podAntiAffinity");
  }

  public List<PodAffinityTerm> preferredAffinity() {
    return PodAffinityTerm.preferred(tree, "podAffinity");
  }

  public List<PodAffinityTerm> preferredAntiAffinity() {
    return PodAffinityTerm.preferred(tree, "podAntiAffinity");
  }

  public List<SpreadConstraint> spreadConstraints() {
    return tree.trees("topologySpreadConstraints").stream().map(SpreadConstraint::of).toList();
  }

  /** Whether it may push pods of lower priority off their nodes. */
  public boolean preempts() {
    return !tree.text("preemptionPolicy").equals("Never");
  }

  /** The ports of its node that it takes; those of init containers that end do not count. */
  public List<HostPort> hostPorts() {
    return Stream.concat(
            containers().stream(), initContainers().stream().filter(Container::isSidecar))
        .flatMap(container -> container.tree().trees("ports").stream())
        .map(HostPort::of)
        .filter(port -> port.port() > 0)
        .toList();
  }

  /** The claims of volumes that it needs. */
  public List<ClaimUse> volumeClaims() {
    return ClaimUse.of(tree);
  }

  /** The disks that it names itself, as far as pods of one node cannot share them as they like. */
  public List<Disk> disks() {
    return Disk.of(tree);
  }

  /** The claims of devices that it needs, by the name they have in the pod. */
  public List<String> deviceClaims() {
    return tree.trees("resourceClaims").stream().map(claim -> claim.text("name")).toList();
  }

  /** The same as users look for them, such as {@code gpu (ResourceClaim shared-gpu)}. */
  public List<String> deviceClaimsInWords() {
    return tree.trees("resourceClaims").stream().map(PodSpec::deviceClaimInWords).toList();
  }

  private static String deviceClaimInWords(Tree claim) {
    String name = claim.text("name");
    String own = claim.text("resourceClaimName");
    String template = claim.text("resourceClaimTemplateName");
    if (!own.isEmpty()) {
      return "%s (ResourceClaim %s)".formatted(name, own);
    }
    return template.isEmpty() ? name : "%s (ResourceClaimTemplate %s)".formatted(name, template);
  }

  public List<Container> containers() {
    return tree.trees("containers").stream().map(Container::new).toList();
  }

  public List<Container> initContainers() {
    return tree.trees("initContainers").stream().map(Container::new).toList();
  }

  /** The images that it needs on its node: those of its containers, and those it has as volumes. */
  public List<String> images() {
    Stream<String> run =
        Stream.of(initContainers(), containers()).flatMap(List::stream).map(Container::image);
    Stream<String> read =
        tree.trees("volumes").stream().map(volume -> volume.text("image", "reference"));
    return Stream.concat(run, read).filter(name -> !name.isEmpty()).toList();
  }

  /** With each container, of either list, as {@code change} makes it. */
  public PodSpec withContainers(UnaryOperator<Container> change) {
    Tree changed = tree;
    for (String list : List.of("containers", "initContainers")) {
      if (tree.has(list)) {
        var items = tree.trees(list).stream().map(item -> change.apply(new Container(item)).tree());
        changed = changed.with(list, Items.of(items.toList()));
      }
    }
    return new PodSpec(changed);
  }

  public String runtimeClassName() {
    return tree.text("runtimeClassName");
  }

  public boolean hasOverhead() {
    return !tree.tree("overhead").isEmpty();
  }

  public PodSpec withOverhead(Quantities overhead) {
    return new PodSpec(tree.with("overhead", overhead.tree()));
  }

  /** What the pod as a whole asks for, apart from its containers; usually nothing. */
  public ResourceNeeds resources() {
    return ResourceNeeds.of(tree);
  }

  public PodSpec withResources(ResourceNeeds resources) {
    return new PodSpec(resources.in(tree));
  }

  /** What the pod needs on its node, all its containers and their order considered. */
  public Amounts requests() {
    return exactRequests().amounts();
  }

  /**
   * What the scheduler reckons with when it compares nodes: a container that asks for no cpu or
   * memory is taken to need a little of it, so that such pods are spread too.
   */
  public Amounts reckonedRequests(Quantities least) {
    return PodRequests.reckoned(this, least).amounts();
  }

  /** The same, before it is rounded up to the units in which resources are counted. */
  public Quantities exactRequests() {
    return PodRequests.of(this);
  }

  /** The most that the pod may use on its node, of what has a limit. */
  public Quantities exactLimits() {
    return PodRequests.limits(this);
  }

  Quantities overhead() {
    return Quantities.of(tree.tree("overhead"));
  }

  /** {@code Always}, {@code OnFailure} or {@code Never}. */
  public String restartPolicy() {
    String policy = tree.text("restartPolicy");
    return policy.isEmpty() ? "Always" : policy;
  }

  /** For how long the pod may be active on its node, if that is limited. */
  public Optional<Duration> activeDeadline() {
    return tree.whole("activeDeadlineSeconds").stream().mapToObj(Duration::ofSeconds).findFirst();
  }

  /** How long its processes may take to end once they are asked to. */
  public Duration terminationGrace() {
    return Duration.ofSeconds(tree.whole("terminationGracePeriodSeconds").orElse(30));
  }

  public List<Volume> volumes() {
    return tree.trees("volumes").stream().map(Volume::of).toList();
  }

  /** The conditions that others must set before the pod counts as ready. */
  public List<String> readinessGates() {
    return tree.trees("readinessGates").stream().map(gate -> gate.text("conditionType")).toList();
  }

  public String serviceAccountName() {
    return tree.text("serviceAccountName");
  }

  /** The name its processes take for that of their machine, empty for the pod's own. */
  public String hostname() {
    String override = tree.text("hostnameOverride");
    return override.isEmpty() ? tree.text("hostname") : override;
  }
}
