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

/** The spec of a pod or a pod template. */
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

  /** The preferred node affinity terms. */
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

  /** Whether it may preempt pods of lower priority. */
  public boolean preempts() {
    return !tree.text("preemptionPolicy").equals("Never");
  }

  /** The host ports; those of init containers that end do not count. */
  public List<HostPort> hostPorts() {
    return Stream.concat(
            containers().stream(), initContainers().stream().filter(Container::isSidecar))
        .flatMap(container -> container.tree().trees("ports").stream())
        .map(HostPort::of)
        .filter(port -> port.port() > 0)
        .toList();
  }

  /** The volume claims. */
  public List<ClaimUse> volumeClaims() {
    return ClaimUse.of(tree);
  }

  /** The disks without a claim that pods on one node cannot share freely. */
  public List<Disk> disks() {
    return Disk.of(tree);
  }

  /** The device claims, by their names in the pod. */
  public List<String> deviceClaims() {
    return tree.trees("resourceClaims").stream().map(claim -> claim.text("name")).toList();
  }

  /** The device claims in the words of messages, such as {@code gpu (ResourceClaim shared-gpu)}. */
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

  /** The images of its containers and of its image volumes. */
  public List<String> images() {
    Stream<String> run =
        Stream.of(initContainers(), containers()).flatMap(List::stream).map(Container::image);
    Stream<String> read =
        tree.trees("volumes").stream().map(volume -> volume.text("image", "reference"));
    return Stream.concat(run, read).filter(name -> !name.isEmpty()).toList();
  }

  /** With each container and init container changed by {@code change}. */
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

  /** The pod-level resources; usually none. */
  public ResourceNeeds resources() {
    return ResourceNeeds.of(tree);
  }

  public PodSpec withResources(ResourceNeeds resources) {
    return new PodSpec(resources.in(tree));
  }

  /** The requests of the pod, which depend on all its containers and their order. */
  public Amounts requests() {
    return exactRequests().amounts();
  }

  /**
   * The requests with which the scheduler scores nodes: a container without cpu or memory requests
   * counts with a minimum, so that such pods are spread too.
   */
  public Amounts reckonedRequests(Quantities least) {
    return PodRequests.reckoned(this, least).amounts();
  }

  /** The requests before they are rounded up to the units of resources. */
  public Quantities exactRequests() {
    return PodRequests.of(this);
  }

  /** The limits of the pod, for the resources that have one. */
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

  /** The active deadline, if there is one. */
  public Optional<Duration> activeDeadline() {
    return tree.whole("activeDeadlineSeconds").stream().mapToObj(Duration::ofSeconds).findFirst();
  }

  /** The termination grace period. */
  public Duration terminationGrace() {
    return Duration.ofSeconds(tree.whole("terminationGracePeriodSeconds").orElse(30));
  }

  public List<Volume> volumes() {
    return tree.trees("volumes").stream().map(Volume::of).toList();
  }

  /** Whether a container mounts a volume of this name. */
  public boolean mounts(String volume) {
    return Stream.concat(containers().stream(), initContainers().stream())
        .flatMap(container -> container.tree().trees("volumeMounts").stream())
        .anyMatch(mount -> mount.text("name").equals(volume));
  }

  /** The readiness gates. */
  public List<String> readinessGates() {
    return tree.trees("readinessGates").stream().map(gate -> gate.text("conditionType")).toList();
  }

  public String serviceAccountName() {
    return tree.text("serviceAccountName");
  }

  /** The hostname, empty for the name of the pod. */
  public String hostname() {
    String override = tree.text("hostnameOverride");
    return override.isEmpty() ? tree.text("hostname") : override;
  }
}
