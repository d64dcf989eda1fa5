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
 * A queue or a cohort in the quota tree.
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

  /** Names what it shares quota with: its root. A queue alone may be called like a cohort. */
  public String family() {
    QuotaNode root = root();
    return root.name() + (root.queue ? " queue" : " cohort");
  }

  /** Its own name after those of all above it: {@code /root/…/name}. */
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

  /** Everything that is counted here. */
  public Iterable<FlavorResource> known() {
    return Collections.unmodifiableSet(cells.keySet());
  }

  public Quota quota(FlavorResource of) {
    return cell(of).quota();
  }

  public long nominal(FlavorResource of) {
    return cell(of).nominal();
  }

  public long usage(FlavorResource of) {
    return cell(of).usage();
  }

  /** What is used, also if it is more than an amount can tell. */
  public BigInteger exactUsage(FlavorResource of) {
    return cell(of).exactUsage();
  }

  public long subtreeQuota(FlavorResource of) {
    return cell(of).subtree();
  }

  public long localQuota(FlavorResource of) {
    return cell(of).local();
  }

  public long localAvailable(FlavorResource of) {
    return cell(of).localAvailable();
  }

  /** What more of it fits here now; a queue never has less than nothing. */
  public long available(FlavorResource of) {
    long available = cell(of).available();
    return queue ? Math.max(0, available) : available;
  }

  /** How far its usage is beyond what it may use, or borrow; 0 if it is not. */
  public long overdrawn(FlavorResource of) {
    return Math.max(0, -(parent == null ? cell(of).available() : cell(of).mayBorrow()));
  }

  /** What would fit if nothing were used anywhere. */
  public long potentialAvailable(FlavorResource of) {
    return cell(of).potential();
  }

  public boolean borrowsWith(FlavorResource of, long more) {
    return cell(of).borrowsWith(more);
  }

  public boolean borrows(FlavorResource of) {
    return cell(of).borrowsWith(0);
  }

  /** Whether it uses more than its own of one of these. */
  public boolean borrowsAny(Set<FlavorResource> some) {
    for (FlavorResource one : some) {
      if (borrows(one)) {
        return true;
      }
    }
    return false;
  }

  /** Whether it uses more than its own of one of the things that somebody uses. */
  public boolean borrowsAny(Usage some) {
    for (int i = 0; i < some.size(); i++) {
      if (borrows(some.what(i))) {
        return true;
      }
    }
    return false;
  }

  /** Whether it uses more than its own of anything. */
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

  /** Usage with where it is counted here. */
  public Counted counted(Usage usage) {
    return new Counted(this, usage);
  }

  /** Whether all of it fits now. */
  public boolean fits(Usage usage) {
    for (int i = 0; i < usage.size(); i++) {
      if (usage.amount(i) > 0 && usage.amount(i) > available(usage.what(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * How far up the tree an amount must be taken from.
   *
   * @param level the height of the lowest node whose quota can hold it; 0 for the queue's own
   * @param mayReclaim whether there is somebody above that level to reclaim from
   */
  public record Reach(int level, boolean mayReclaim) {}

  public Reach reach(FlavorResource of, long amount) {
    QuotaCell cell = cell(of);
    return new Reach(cell.level(amount), cell.mayReclaim(amount));
  }

  /**
   * Where an amount does not fit.
   *
   * @param byBorrowingLimit whether the node may not borrow enough; else all its quota is in use
   */
  public record Bottleneck(QuotaNode node, boolean byBorrowingLimit, long missing) {}

  /** The lowest node, from here up, that has too little left for an amount; none if it fits. */
  public Optional<Bottleneck> bottleneck(FlavorResource of, long amount) {
    if (amount <= available(of)) {
      return Optional.empty();
    }
    long rest = amount;
    QuotaNode at = this;
    while (at.parent != null) {
      rest = Amounts.difference(rest, at.localAvailable(of));
      long more = at.cell(of).mayBorrow();
      if (rest > more) {
        return Optional.of(new Bottleneck(at, true, Amounts.difference(rest, more)));
      }
      at = at.parent;
    }
    return Optional.of(
        new Bottleneck(at, false, Amounts.difference(rest, at.cell(of).available())));
  }

  /** How much it borrows, compared with what it could and with its weight. */
  public Share share() {
    return parent == null ? Share.ZERO : borrowed.share(parent.lendable, spec.weight());
  }

  /** The cell of something; what nobody gave quota for has a cell without any. */
  public QuotaCell cell(FlavorResource of) {
    QuotaCell found = byKey.get(of);
    if (found != null) {
      return found;
    }
    var cell =
        new QuotaCell(
            spec.quotas().getOrDefault(of, Quota.NONE),
            parent == null ? null : parent.cell(of),
            height);
    cells.put(of, cell);
    byKey.put(of, cell);
    borrowed.add(of.resource(), cell);
    return cell;
  }

  /** Makes the cells of everything that it has quota for, and of the same in all above. */
  void open() {
    spec.quotas().keySet().forEach(this::cell);
    queues.forEach(QuotaNode::open);
    cohorts.forEach(QuotaNode::open);
  }

  /** Adds up the quotas of the whole subtree. */
  void settle() {
    cohorts.sort(Comparator.comparing(QuotaNode::name)); // they came with those below them
    cohorts.forEach(QuotaNode::settle);
    queues.forEach(QuotaNode::settle);
    height = queues.isEmpty() ? 0 : 1;
    cohorts.forEach(cohort -> height = Math.max(height, 1 + cohort.height));
    cells.forEach((of, cell) -> {
      long lent = cell.settle(height);
      if (parent != null) {
        parent.cell(of).receive(lent);
      }
    });
  }

  /** Notes what there is to lend at every cohort, once the quotas of the root are added up. */
  void noteLendable() {
    var sums = new TreeMap<String, Long>();
    root()
        .cells
        .keySet()
        .forEach(of -> sums.merge(of.resource(), potentialAvailable(of), Amounts::sum));
    lendable = sums;
    cohorts.forEach(QuotaNode::noteLendable);
  }
}
