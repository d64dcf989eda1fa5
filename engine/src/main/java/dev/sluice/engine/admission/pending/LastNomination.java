package dev.sluice.engine.admission.pending;

import dev.sluice.engine.preemption.Target;
import java.util.List;

/** What an admission cycle found for a pending workload, kept with its entry for the next cycle. */
public interface LastNomination {

  /** That of the queue when this was found. */
  long epoch();

  /** The victims; empty if there are none. */
  List<Target> targets();
}
