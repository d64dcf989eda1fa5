package dev.sluice.engine.quota;

import dev.sluice.model.Amounts;
import dev.sluice.model.kueue.ResourceGroup.Quota;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A ClusterQueue or cohort in the quota tree.
 *
 * <p>Threads: one owner, that of the tree.
 */
public final class QuotaNode {
  private final QuotaSpec spec;
  private final boolean queue;
  private final @Nullable QuotaNode parent;
  private final List<QuotaNode> queues = new ArrayList<>();
  private final List<QuotaNode> cohorts = new ArrayList<>();
  private final SortedMap<FlavorResource, QuotaCell> cells = new TreeMap<>();
  private final Map<FlavorResource, QuotaCell> byKey = new LinkedHashMap<>();
  private final BorrowedByResource borrowed = new BorrowedByResource();
  private SortedMap<String, Long> lendable = Collections.emptySortedMap();
  private int height;

  QuotaNode(QuotaSpec spec, boolean queue, @Nullable QuotaNode parent) {
    this.spec = spec;
    this.queue = queue;
    this.parent = parent;
    if (parent != null) {
      (queue ? parent.queues : parent.cohorts).add(this);
    }
  }

  public String name() {
    return spec.name();
  }

  public boolean isQueue() {
    return queue;
  }

  public @Nullable QuotaNode parent() {
    return parent;
  }

  /** The queues right below it, by name. */
  public List<QuotaNode> queues() {
    return Collections.unmodifiableList(queues);
  }

  /** The cohorts right below it, by name. */
  public List<QuotaNode> cohorts() {
    return Collections.unmodifiableList(cohorts);
  }

  public QuotaNode root() {
    QuotaNode node = this;
    while (node.parent != null) {
      node = node.parent;
    }
    return node;
  }

  /** A unique name for its root. A queue without cohort may have the name of a cohort. */
  public String rootName() {
    QuotaNode root = root();
    return root.name() + (root.queue ? " queue" : " cohort");
  }

  /** Its name after those of all nodes above it: {@code /root/…/name}. */
  public String path() {
    return (parent == null ? "" : parent.path()) + "/" + name();
  }

  /** Visits every queue below it, or itself if it is one, by name. */
  public void forEachQueue(Consumer<QuotaNode> visitor) {
    if (queue) {
      visitor.accept(this);
    }
    queues.forEach(visitor);
    cohorts.forEach(cohort -> cohort.forEachQueue(visitor));
  }

  /** All flavors and resources that are counted here. */
  public Iterable<FlavorResource> known() {
    return Collections.unmodifiableSet(cells.keySet());
  }

  public Quota quota(FlavorResource flavorResource) {
    return cell(flavorResource).quota();
  }

  public long nominal(FlavorResource flavorResource) {
    return cell(flavorResource).nominal();
  }

  public long usage(FlavorResource flavorResource) {
    return cell(flavorResource).usage();
  }

  /** The usage, also if it is more than an amount can express. */
  public BigInteger exactUsage(FlavorResource flavorResource) {
    return cell(flavorResource).exactUsage();
  }

  public long subtreeQuota(FlavorResource flavorResource) {
    return cell(flavorResource).subtree();
  }

  public long localQuota(FlavorResource flavorResource) {
    return cell(flavorResource).local();
  }

  public long localAvailable(FlavorResource flavorResource) {
    return cell(flavorResource).localAvailable();
  }

  /** The quota that is available here now; never negative for a queue. */
  public long available(FlavorResource flavorResource) {
    long available = cell(flavorResource).available();
    return queue ? Math.max(0, available) : available;
  }

  /** How far its usage exceeds its quota and borrowing limit; 0 if it does not. */
  public long overdrawn(FlavorResource flavorResource) {
    return Math.max(
        0, -(parent == null ? cell(flavorResource).available() : cell(flavorResource).mayBorrow()));
  }

  /** The quota that would be available if nothing were used anywhere. */
  public long potentialAvailable(FlavorResource flavorResource) {
    return cell(flavorResource).potential();
  }

  public boolean borrowsWith(FlavorResource flavorResource, long more) {
    return cell(flavorResource).borrowsWith(more);
  }

  public boolean borrows(FlavorResource flavorResource) {
    return cell(flavorResource).borrowsWith(0);
  }

  /** Whether it borrows one of these. */
  public boolean borrowsAny(Set<FlavorResource> some) {
    for (FlavorResource flavorResource : some) {
      if (borrows(flavorResource)) {
        return true;
      }
    }
    return false;
  }

  /** Whether it borrows one of the flavors and resources of a usage. */
  public boolean borrowsAny(Usage some) {
    for (int i = 0; i < some.size(); i++) {
      if (borrows(some.what(i))) {
        return true;
      }
    }
    return false;
  }

  /** Whether it borrows anything. */
  public boolean borrows() {
    for (QuotaCell cell : cells.values()) {
      if (cell.borrowsWith(0)) {
        return true;
      }
    }
    return false;
  }

  public void add(Usage usage) {
    for (int i = 0; i < usage.size(); i++) {
      cell(usage.what(i)).add(usage.amount(i));
    }
  }

  public void remove(Usage usage) {
    for (int i = 0; i < usage.size(); i++) {
      cell(usage.what(i)).remove(usage.amount(i));
    }
  }

  /** A usage with the cells of this node that count it. */
  public Counted counted(Usage usage) {
    return new Counted(this, usage);
  }

  /** Whether all of a usage fits now. */
  public boolean fits(Usage usage) {
    for (int i = 0; i < usage.size(); i++) {
      if (usage.amount(i) > 0 && usage.amount(i) > available(usage.what(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * How far up the tree an amount must be borrowed from.
   *
   * @param level the height of the lowest node whose quota can hold it; 0 for the queue's own
   * @param mayReclaim whether there are nodes above that level to reclaim from
   */
  public record Reach(int level, boolean mayReclaim) {}

  public Reach reach(FlavorResource flavorResource, long amount) {
    QuotaCell cell = cell(flavorResource);
    return new Reach(cell.level(amount), cell.mayReclaim(amount));
  }

  /**
   * The node at which an amount does not fit.
   *
   * @param byBorrowingLimit whether the node may not borrow enough; else all its quota is in use
   */
  public record Bottleneck(QuotaNode node, boolean byBorrowingLimit, long missing) {}

  /**
   * The lowest node, from here up, that has too little quota left for an amount; none if it fits.
   */
  public Optional<Bottleneck> bottleneck(FlavorResource flavorResource, long amount) {
    if (amount <= available(flavorResource)) {
      return Optional.empty();
    }
    long rest = amount;
    QuotaNode at = this;
    while (at.parent != null) {
      rest = Amounts.difference(rest, at.localAvailable(flavorResource));
      long more = at.cell(flavorResource).mayBorrow();
      if (rest > more) {
        return Optional.of(new Bottleneck(at, true, Amounts.difference(rest, more)));
      }
      at = at.parent;
    }
    return Optional.of(
        new Bottleneck(at, false, Amounts.difference(rest, at.cell(flavorResource).available())));
  }

  /** Its share: what it borrows, relative to what its cohort can lend and to its weight. */
  public Share share() {
    return parent == null ? Share.ZERO : borrowed.share(parent.lendable, spec.weight());
  }

  /** The cell of a flavor and resource; where no quota is given, a cell without quota. */
  public QuotaCell cell(FlavorResource flavorResource) {
    QuotaCell found = byKey.get(flavorResource);
    if (found != null) {
      return found;
    }
    var cell =
        new QuotaCell(
            spec.quotas().getOrDefault(flavorResource, Quota.NONE),
            parent == null ? null : parent.cell(flavorResource),
            height);
    cells.put(flavorResource, cell);
    byKey.put(flavorResource, cell);
    borrowed.add(flavorResource.resource(), cell);
    return cell;
  }

  /** Creates the cells of all its quotas, here and in the nodes above. */
  void open() {
    spec.quotas().keySet().forEach(this::cell);
    queues.forEach(QuotaNode::open);
    cohorts.forEach(QuotaNode::open);
  }

  /** Adds up the quotas of the whole subtree. */
  void settle() {
    cohorts.sort(Comparator.comparing(QuotaNode::name)); // added in another order
    cohorts.forEach(QuotaNode::settle);
    queues.forEach(QuotaNode::settle);
    height = queues.isEmpty() ? 0 : 1;
    cohorts.forEach(cohort -> height = Math.max(height, 1 + cohort.height));
    cells.forEach((flavorResource, cell) -> {
      long lent = cell.settle(height);
      if (parent != null) {
        parent.cell(flavorResource).receive(lent);
      }
    });
  }

  /** Computes what every cohort can lend, once the quotas of the root are added up. */
  void noteLendable() {
    var sums = new TreeMap<String, Long>();
    root()
        .cells
        .keySet()
        .forEach(flavorResource ->
            sums.merge(
                flavorResource.resource(), potentialAvailable(flavorResource), Amounts::sum));
    lendable = sums;
    cohorts.forEach(QuotaNode::noteLendable);
  }
}
