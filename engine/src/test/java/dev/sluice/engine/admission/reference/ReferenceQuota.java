package dev.sluice.engine.admission.reference;

import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaSpec;
import dev.sluice.engine.quota.Usage;
import dev.sluice.model.Quantity;
import dev.sluice.model.kueue.ResourceGroup.Quota;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The plain quota arithmetic, definition by definition as in
 * docs/specification/quota.md#definitions, with everything computed again from the quotas and the
 * usage of queues: what the engine's tree must say. Cohorts must not form a cycle.
 */
final class ReferenceQuota {
  private final SortedMap<String, QuotaSpec> queues = new TreeMap<>();
  private final SortedMap<String, QuotaSpec> cohorts = new TreeMap<>();
  private final Map<Node, List<Node>> below = new LinkedHashMap<>();
  private final Map<String, SortedMap<FlavorResource, Long>> used = new TreeMap<>();

  ReferenceQuota(Collection<QuotaSpec> queueSpecs, Collection<QuotaSpec> cohortSpecs) {
    queueSpecs.forEach(queue -> queues.put(queue.name(), queue));
    cohortSpecs.forEach(cohort -> cohorts.put(cohort.name(), cohort));
    for (QuotaSpec spec : List.copyOf(queues.values())) {
      imply(spec.parent());
    }
    for (QuotaSpec spec : List.copyOf(cohorts.values())) {
      imply(spec.parent());
    }
    for (Node node : nodes()) {
      below.computeIfAbsent(parent(node), _ -> new ArrayList<>()).add(node);
    }
  }

  /** A cohort that is only named exists without quota. */
  private void imply(String cohort) {
    if (!cohort.isEmpty()) {
      cohorts.computeIfAbsent(
          cohort, name -> new QuotaSpec(name, "", Quantity.of(1), new TreeMap<>()));
    }
  }

  /** A queue or a cohort; both may have the same name. */
  record Node(String name, boolean queue) {}

  static Node queue(String name) {
    return new Node(name, true);
  }

  List<Node> nodes() {
    var nodes = new ArrayList<Node>();
    queues.keySet().forEach(name -> nodes.add(new Node(name, true)));
    cohorts.keySet().forEach(name -> nodes.add(new Node(name, false)));
    return nodes;
  }

  /** How many cohorts there are, named ones included. */
  int cohorts() {
    return cohorts.size();
  }

  void use(String queue, FlavorResource flavorResource, long amount) {
    used.computeIfAbsent(queue, _ -> new TreeMap<>()).merge(flavorResource, amount, Long::sum);
  }

  /**
   * @param sign 1 to add the usage, -1 to take it away
   */
  void use(String queue, Usage usage, int sign) {
    usage.entries().forEach(amount -> use(queue, amount.getKey(), sign * amount.getValue()));
  }

  private QuotaSpec spec(Node node) {
    QuotaSpec spec = (node.queue() ? queues : cohorts).get(node.name());
    if (spec == null) {
      throw new IllegalArgumentException("there is no " + node);
    }
    return spec;
  }

  private Quota quota(Node node, FlavorResource flavorResource) {
    return spec(node).quotas().getOrDefault(flavorResource, Quota.NONE);
  }

  boolean hasParent(Node node) {
    return !spec(node).parent().isEmpty();
  }

  Node parent(Node node) {
    return new Node(spec(node).parent(), false);
  }

  Node root(Node node) {
    Node at = node;
    while (hasParent(at)) {
      at = parent(at);
    }
    return at;
  }

  List<Node> children(Node node) {
    return node.queue() ? List.of() : below.getOrDefault(node, List.of());
  }

  long nominal(Node node, FlavorResource flavorResource) {
    return quota(node, flavorResource).nominal();
  }

  long subtreeQuota(Node node, FlavorResource flavorResource) {
    long sum = nominal(node, flavorResource);
    for (Node child : children(node)) {
      sum += subtreeQuota(child, flavorResource) - localQuota(child, flavorResource);
    }
    return sum;
  }

  long localQuota(Node node, FlavorResource flavorResource) {
    OptionalLong lends = quota(node, flavorResource).lendingLimit();
    return lends.isPresent()
        ? Math.max(0, subtreeQuota(node, flavorResource) - lends.getAsLong())
        : 0;
  }

  long usage(Node node, FlavorResource flavorResource) {
    if (node.queue()) {
      return used.getOrDefault(node.name(), new TreeMap<>()).getOrDefault(flavorResource, 0L);
    }
    long sum = 0;
    for (Node child : children(node)) {
      sum += Math.max(0, usage(child, flavorResource) - localQuota(child, flavorResource));
    }
    return sum;
  }

  long localAvailable(Node node, FlavorResource flavorResource) {
    return Math.max(0, localQuota(node, flavorResource) - usage(node, flavorResource));
  }

  long available(Node node, FlavorResource flavorResource) {
    long available = unclamped(node, flavorResource);
    return node.queue() ? Math.max(0, available) : available;
  }

  private long unclamped(Node node, FlavorResource flavorResource) {
    if (!hasParent(node)) {
      return subtreeQuota(node, flavorResource) - usage(node, flavorResource);
    }
    long above = unclamped(parent(node), flavorResource);
    OptionalLong borrows = quota(node, flavorResource).borrowingLimit();
    if (borrows.isPresent()) {
      long lent = subtreeQuota(node, flavorResource) - localQuota(node, flavorResource);
      long stored = Math.max(0, usage(node, flavorResource) - localQuota(node, flavorResource));
      above = Math.min(above, lent - stored + borrows.getAsLong());
    }
    return localAvailable(node, flavorResource) + above;
  }

  long potentialAvailable(Node node, FlavorResource flavorResource) {
    if (!hasParent(node)) {
      return subtreeQuota(node, flavorResource);
    }
    long most = localQuota(node, flavorResource) + potentialAvailable(parent(node), flavorResource);
    OptionalLong borrows = quota(node, flavorResource).borrowingLimit();
    return borrows.isPresent()
        ? Math.min(most, subtreeQuota(node, flavorResource) + borrows.getAsLong())
        : most;
  }

  boolean borrows(Node node, FlavorResource flavorResource, long more) {
    long own = node.queue() ? nominal(node, flavorResource) : subtreeQuota(node, flavorResource);
    return own < usage(node, flavorResource) + more;
  }

  int height(Node node) {
    int height = 0;
    for (Node child : children(node)) {
      height = Math.max(height, child.queue() ? 1 : 1 + height(child));
    }
    return height;
  }

  /** The height of the lowest subtree that holds an amount, and whether one is above it. */
  record Reach(int level, boolean mayReclaim) {}

  Reach heightThatFits(Node queue, FlavorResource flavorResource, long amount) {
    if (!borrows(queue, flavorResource, amount) || !hasParent(queue)) {
      return new Reach(0, hasParent(queue));
    }
    long remaining = amount - localAvailable(queue, flavorResource);
    Node node = queue;
    while (hasParent(node)) {
      node = parent(node);
      if (subtreeQuota(node, flavorResource) >= usage(node, flavorResource) + remaining) {
        return new Reach(height(node), hasParent(node));
      }
      remaining -= localAvailable(node, flavorResource);
    }
    return new Reach(height(node), false);
  }

  boolean borrowsAnything(Node node) {
    return known().stream().anyMatch(flavorResource -> borrows(node, flavorResource, 0));
  }

  /**
   * What a node borrows as an exact part of what it could, its weight counted in.
   *
   * @param infinite whether it borrows though its weight is zero; then the weight does not count
   */
  record Portion(BigDecimal part, BigDecimal whole, boolean infinite)
      implements Comparable<Portion> {
    static final Portion NOTHING = new Portion(BigDecimal.ZERO, BigDecimal.ONE, false);

    @Override
    public int compareTo(Portion other) {
      return infinite == other.infinite
          ? part.multiply(other.whole).compareTo(other.part.multiply(whole))
          : Boolean.compare(infinite, other.infinite);
    }

    /** In thousandths, rounded up, as a status shows it. */
    long rounded() {
      return infinite
          ? Long.MAX_VALUE
          : part.multiply(BigDecimal.valueOf(1000))
              .divide(whole, 0, RoundingMode.CEILING)
              .longValue();
    }
  }

  Portion portion(Node node) {
    if (!hasParent(node)) {
      return Portion.NOTHING;
    }
    var borrowed = new TreeMap<String, Long>();
    var lendable = new TreeMap<String, Long>();
    for (FlavorResource flavorResource : known()) {
      long over = Math.max(0, usage(node, flavorResource) - subtreeQuota(node, flavorResource));
      borrowed.merge(flavorResource.resource(), over, Long::sum);
      lendable.merge(
          flavorResource.resource(), potentialAvailable(parent(node), flavorResource), Long::sum);
    }
    BigDecimal weight = spec(node).weight().value();
    Portion largest = Portion.NOTHING;
    for (String resource : borrowed.keySet()) {
      BigDecimal part = BigDecimal.valueOf(borrowed.get(resource));
      BigDecimal whole = BigDecimal.valueOf(lendable.getOrDefault(resource, 0L));
      if (part.signum() > 0 && whole.signum() > 0) {
        boolean infinite = weight.signum() == 0;
        var portion = new Portion(part, infinite ? whole : whole.multiply(weight), infinite);
        largest = portion.compareTo(largest) > 0 ? portion : largest;
      }
    }
    return largest;
  }

  private SortedSet<FlavorResource> known() {
    var known = new TreeSet<FlavorResource>();
    queues.values().forEach(queue -> known.addAll(queue.quotas().keySet()));
    cohorts.values().forEach(cohort -> known.addAll(cohort.quotas().keySet()));
    used.values().forEach(amounts -> known.addAll(amounts.keySet()));
    return known;
  }
}
