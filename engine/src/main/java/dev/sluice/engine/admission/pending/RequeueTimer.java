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
 * When to look again at those who were put aside. Quota comes back in many small parts; looking at
 * everybody after each would cost more than it finds, so a family of queues rests for an interval
 * between two looks.
 */
public final class RequeueTimer {
  private final Duration interval;
  private final TreeSet<String> requested = new TreeSet<>();
  private final Map<String, Instant> last = new LinkedHashMap<>();

  public RequeueTimer(Duration interval) {
    this.interval = interval;
  }

  public void request(String family) {
    requested.add(family);
  }

  /** The families to look at now. */
  public List<String> due(Instant now) {
    var due = new ArrayList<String>();
    for (String family : requested) {
      if (!earliest(family).isAfter(now)) {
        due.add(family);
        last.put(family, now);
      }
    }
    due.forEach(requested::remove);
    return due;
  }

  private Instant earliest(String family) {
    Instant before = last.get(family);
    return before == null ? Instant.MIN : before.plus(interval);
  }

  /** When the next family may be looked at. */
  public Optional<Instant> next() {
    return requested.stream().map(this::earliest).min(Instant::compareTo);
  }
}
