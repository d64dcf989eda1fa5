package dev.sluice.engine.admission.cycle;

import java.util.Comparator;

/** Who borrows least comes first, then the higher priority, then who has waited longest. */
final class ClassicalOrder implements Comparator<CycleEntry> {
  private final AdmissionRules rules;

  ClassicalOrder(AdmissionRules rules) {
    this.rules = rules;
  }

  @Override
  public int compare(CycleEntry one, CycleEntry other) {
    if (rules.preemptorsFirst() && one.isPreemptor() != other.isPreemptor()) {
      return one.isPreemptor() ? -1 : 1;
    }
    if (one.level() != other.level()) {
      return Integer.compare(one.level(), other.level());
    }
    return rules.byPriority()
        ? one.item().compareTo(other.item())
        : one.item().workload().compareAge(other.item().workload());
  }
}
