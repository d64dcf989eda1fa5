package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.quota.Counted;
import java.util.ArrayList;
import java.util.List;

/**
 * The quota that entries keep for the rest of an admission cycle without being admitted, so that no
 * entry behind them takes it. It counts as used in the quota tree until the cycle ends.
 */
public final class Reserves {
  private final List<Counted> reserved = new ArrayList<>();

  /** Reserves quota for an entry that waits for it. */
  void add(CycleEntry waiting, Counted usage) {
    waiting.entry().setReserves(true);
    usage.add();
    reserved.add(usage);
  }

  /** Takes the reserved quota out of the tree for a while. */
  public void lift() {
    reserved.forEach(Counted::remove);
  }

  /** Counts it as used again. */
  public void restore() {
    reserved.forEach(Counted::add);
  }

  /** Ends all reserves with the cycle. */
  void drop() {
    lift();
    reserved.clear();
  }
}
