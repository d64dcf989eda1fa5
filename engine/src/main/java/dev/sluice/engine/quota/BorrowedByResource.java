package dev.sluice.engine.quota;

import dev.sluice.model.Amounts;
import dev.sluice.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The borrowed amounts of a node, by resource and summed over flavors. */
final class BorrowedByResource {
  private final SortedMap<String, List<QuotaCell>> cells = new TreeMap<>();

  void add(String resource, QuotaCell cell) {
    cells.computeIfAbsent(resource, _ -> new ArrayList<>()).add(cell);
  }

  /**
   * The share of the resource of which the largest part is borrowed.
   *
   * @param lendable how much of each resource the cohort can lend
   */
  Share share(SortedMap<String, Long> lendable, Quantity weight) {
    Share largest = Share.ZERO;
    for (Map.Entry<String, List<QuotaCell>> resource : cells.entrySet()) {
      long borrowed = borrowed(resource.getValue());
      long available = borrowed == 0 ? 0 : lendable.getOrDefault(resource.getKey(), 0L);
      if (available > 0 && (largest.borrowed() == 0 || largest.isExceededBy(borrowed, available))) {
        largest = Share.of(resource.getKey(), borrowed, available, weight);
      }
    }
    return largest;
  }

  private static long borrowed(List<QuotaCell> ofResource) {
    long sum = 0;
    for (QuotaCell cell : ofResource) {
      sum = Amounts.sum(sum, Math.max(0, Amounts.difference(cell.usage(), cell.subtree())));
    }
    return sum;
  }
}
