package dev.sluice.engine.admission;

import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaSpec;
import dev.sluice.model.Quantity;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import dev.sluice.model.kueue.ResourceGroup;
import dev.sluice.model.kueue.ResourceGroup.FlavorQuotas;
import dev.sluice.model.kueue.ResourceGroup.Quota;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A queue or a cohort in a few words. Amounts are of the resource {@code gpu} in the flavor {@code
 * f} unless said otherwise.
 */
public final class QueueSketch {
  private final String name;
  private String cohort = "";
  private Quantity weight = Quantity.of(1);
  private boolean active = true;
  private boolean strict;
  private boolean byUsage;
  private Optional<Tree> namespaces = Optional.of(Tree.EMPTY);
  private QueueSpec.Fungibility fungibility = new QueueSpec.Fungibility(false, true, false);
  private PreemptionPolicy within = PreemptionPolicy.NEVER;
  private PreemptionPolicy reclaim = PreemptionPolicy.NEVER;
  private boolean whileBorrowing;
  private OptionalInt threshold = OptionalInt.empty();
  private int targets = -1;
  private final SortedSet<String> checked = new TreeSet<>();
  private final List<SortedMap<String, SortedMap<String, Quota>>> groups = new ArrayList<>();
  private final List<List<String>> order = new ArrayList<>();

  private QueueSketch(String name) {
    this.name = name;
    nextGroup();
  }

  /** A queue, or a cohort. */
  public static QueueSketch named(String name) {
    return new QueueSketch(name);
  }

  public static QueueSketch queue(String name, long nominal) {
    return named(name).has("f", "gpu", nominal);
  }

  public QueueSketch in(String parent) {
    cohort = parent;
    return this;
  }

  /** What follows is covered by another group. */
  public QueueSketch nextGroup() {
    groups.add(new TreeMap<>());
    order.add(new ArrayList<>());
    return this;
  }

  public QueueSketch has(String flavor, String resource, long nominal) {
    if (!order.getLast().contains(flavor)) {
      order.getLast().add(flavor);
    }
    return quota(flavor, resource, new Quota(nominal, OptionalLong.empty(), OptionalLong.empty()));
  }

  private QueueSketch quota(String flavor, String resource, Quota quota) {
    groups.getLast().computeIfAbsent(flavor, _ -> new TreeMap<>()).put(resource, quota);
    return this;
  }

  /** Limits what the flavor named last borrows, of every resource. */
  public QueueSketch borrows(long most) {
    String flavor = order.getLast().getLast();
    groups
        .getLast()
        .getOrDefault(flavor, new TreeMap<>())
        .replaceAll(
            (_, quota) -> new Quota(quota.nominal(), OptionalLong.of(most), quota.lendingLimit()));
    return this;
  }

  /** Limits what the flavor named last lends, of every resource. */
  public QueueSketch lends(long most) {
    String flavor = order.getLast().getLast();
    groups
        .getLast()
        .getOrDefault(flavor, new TreeMap<>())
        .replaceAll((_, quota) ->
            new Quota(quota.nominal(), quota.borrowingLimit(), OptionalLong.of(most)));
    return this;
  }

  QueueSketch weight(long thousandths) {
    weight = Quantity.ofMillis(thousandths);
    return this;
  }

  public QueueSketch strict() {
    strict = true;
    return this;
  }

  public QueueSketch inactive() {
    active = false;
    return this;
  }

  public QueueSketch byUsage() {
    byUsage = true;
    return this;
  }

  public QueueSketch serves(Optional<Tree> selector) {
    namespaces = selector;
    return this;
  }

  public QueueSketch fungible(
      boolean nextRatherThanBorrow, boolean nextRatherThanPreempt, boolean preemptionFirst) {
    fungibility =
        new QueueSpec.Fungibility(nextRatherThanBorrow, nextRatherThanPreempt, preemptionFirst);
    return this;
  }

  public QueueSketch within(PreemptionPolicy policy) {
    within = policy;
    return this;
  }

  public QueueSketch reclaims(PreemptionPolicy policy) {
    reclaim = policy;
    return this;
  }

  public QueueSketch whileBorrowing() {
    whileBorrowing = true;
    return this;
  }

  public QueueSketch whileBorrowingUpTo(int priority) {
    whileBorrowing = true;
    threshold = OptionalInt.of(priority);
    return this;
  }

  /** Its workloads have a variant for each flavor, and move to so many of the first flavors. */
  public QueueSketch variants(int movesTo, String... checkedFlavors) {
    targets = movesTo;
    checked.addAll(List.of(checkedFlavors));
    return this;
  }

  public String name() {
    return name;
  }

  public QueueSpec spec() {
    return new QueueSpec(
        name,
        active,
        strict,
        resourceGroups(),
        fungibility,
        new QueueSpec.Preemption(within, reclaim, whileBorrowing, threshold),
        namespaces,
        byUsage,
        quotaSpec(),
        targets < 0
            ? Optional.empty()
            : Optional.of(new QueueSpec.Variants(order.getFirst(), targets, checked)));
  }

  private List<ResourceGroup> resourceGroups() {
    var result = new ArrayList<ResourceGroup>();
    for (int i = 0; i < groups.size(); i++) {
      var quotas = groups.get(i);
      List<FlavorQuotas> flavors =
          order.get(i).stream()
              .map(flavor -> new FlavorQuotas(flavor, quotas.getOrDefault(flavor, new TreeMap<>())))
              .toList();
      if (!flavors.isEmpty()) {
        List<String> covered = List.copyOf(flavors.getFirst().quotas().keySet());
        result.add(new ResourceGroup(covered, flavors));
      }
    }
    return result;
  }

  public QuotaSpec quotaSpec() {
    var quotas = new TreeMap<FlavorResource, Quota>();
    for (var group : groups) {
      group.forEach((flavor, resources) ->
          resources.forEach(
              (resource, quota) -> quotas.put(new FlavorResource(flavor, resource), quota)));
    }
    return new QuotaSpec(name, cohort, weight, quotas);
  }
}
