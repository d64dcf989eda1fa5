package dev.sluice.engine.admission.reference;

import dev.sluice.engine.admission.reference.ReferenceCycle.Entry;
import dev.sluice.engine.admission.reference.ReferenceQuota.Node;
import dev.sluice.engine.admission.reference.ReferenceQuota.Portion;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The plain choice of the next entry where shares decide, as in
 * docs/specification/fair-sharing.md#order-of-entries-by-share: each cohort sends up the best of
 * the heads of its queues and of those that its cohorts send, by the share that the branch would
 * have with it.
 */
final class ReferenceFairOrder {
  private final ReferenceQuota quota;
  private final List<Entry> entries;

  /**
   * @param entries of queues below one root, at least one; no two of one queue
   */
  ReferenceFairOrder(ReferenceWorld world, List<Entry> entries) {
    this.quota = world.quota;
    this.entries = entries;
  }

  Entry winner() {
    Node root = quota.root(ReferenceQuota.queue(entries.getFirst().queue().name()));
    return winner(root).orElseThrow();
  }

  private Optional<Entry> winner(Node node) {
    return node.queue()
        ? entries.stream().filter(entry -> entry.queue().name().equals(node.name())).findFirst()
        : quota.children(node).stream()
            .flatMap(child -> winner(child).map(sent -> standing(sent, child)).stream())
            .min(
                Comparator.comparing(Standing::borrows)
                    .thenComparing(Standing::share)
                    .thenComparing(standing -> standing.entry().workload()))
            .map(Standing::entry);
  }

  /**
   * The share that a branch would have with one of its heads.
   *
   * @param borrows whether the branch would use more than its own of what the head asks for
   */
  private record Standing(Entry entry, boolean borrows, Portion share) {}

  private Standing standing(Entry entry, Node branch) {
    quota.use(entry.queue().name(), entry.usage(), 1);
    boolean borrows =
        entry.found().usage().keySet().stream()
            .anyMatch(flavorResource -> quota.borrows(branch, flavorResource, 0));
    var standing = new Standing(entry, borrows, quota.portion(branch));
    quota.use(entry.queue().name(), entry.usage(), -1);
    return standing;
  }
}
