package dev.sluice.engine.admission.pending;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The times at which inadmissible workloads are requeued. Quota comes back in many small parts, and
 * requeuing after each would cost more than it finds, so a root cohort is left alone for an
 * interval between two requeues.
 */
public final class RequeueTimer {
  private final Duration interval;
  private final TreeSet<String> requested = new TreeSet<>();
  private final Map<String, Instant> last = new LinkedHashMap<>();

  public RequeueTimer(Duration interval) {
    this.interval = interval;
  }

  public void request(String rootCohort) {
    requested.add(rootCohort);
  }

  /** The root cohorts to requeue now. */
  public List<String> due(Instant now) {
    var due = new ArrayList<String>();
    for (String rootCohort : requested) {
      if (!earliest(rootCohort).isAfter(now)) {
        due.add(rootCohort);
        last.put(rootCohort, now);
      }
    }
    due.forEach(requested::remove);
    return due;
  }

  private Instant earliest(String rootCohort) {
    Instant before = last.get(rootCohort);
    return before == null ? Instant.MIN : before.plus(interval);
  }

  /** When the next root cohort may be requeued. */
  public Optional<Instant> next() {
    return requested.stream().map(this::earliest).min(Instant::compareTo);
  }
}
