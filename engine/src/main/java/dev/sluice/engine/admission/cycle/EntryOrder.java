package dev.sluice.engine.admission.cycle;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** The order in which the entries of a cycle are processed. */
public interface EntryOrder {

  /** The next entry, by what those before it got; empty after the last. */
  Optional<CycleEntry> next();

  /** An order that does not depend on what the entries get. */
  static EntryOrder sorted(List<CycleEntry> entries, Comparator<? super CycleEntry> order) {
    entries.sort(order);
    Iterator<CycleEntry> sorted = entries.iterator();
    return () -> sorted.hasNext() ? Optional.of(sorted.next()) : Optional.empty();
  }
}
