package dev.sluice.controllers.nodes;

import dev.sluice.controllers.nodes.stage.Stage;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The schedule of stages: which object enters which stage, and when, with at most one entry per
 * object.
 *
 * <p>Threads: none; it belongs to its controller.
 */
final class StageSchedule {

  /**
   * The next stage of an object.
   *
   * @param seen the object when the stage was chosen
   * @param since when this stage was first chosen for the object
   * @param order breaks ties between entries of the same time
   * @param tries how often it was tried already
   */
  record Entry(
      ObjectKey key,
      ApiObject seen,
      Stage stage,
      Instant since,
      Instant due,
      long order,
      int tries) {

    boolean isFor(ApiObject object) {
      return seen.uid().equals(object.uid())
          && seen.resourceVersion().equals(object.resourceVersion());
    }

    boolean isHeadingFor(Stage next, ApiObject object) {
      return stage == next && seen.uid().equals(object.uid());
    }
  }

  private final LinkedHashMap<ObjectKey, Entry> entries = new LinkedHashMap<>();
  private final TreeSet<Entry> byTime =
      new TreeSet<>(Comparator.comparing(Entry::due).thenComparingLong(Entry::order));
  private long orders;

  Optional<Entry> of(ObjectKey key) {
    return Optional.ofNullable(entries.get(key));
  }

  void put(ObjectKey key, ApiObject seen, Stage stage, Instant since, Instant due, int tries) {
    remove(key);
    var entry = new Entry(key, seen, stage, since, due, orders++, tries);
    entries.put(key, entry);
    byTime.add(entry);
  }

  void remove(ObjectKey key) {
    Entry old = entries.remove(key);
    if (old != null) {
      byTime.remove(old);
    }
  }

  void clear() {
    entries.clear();
    byTime.clear();
  }

  /** Removes and returns the entries that are due, the earliest first. */
  List<Entry> takeDue(Instant now, int limit) {
    var due = new ArrayList<Entry>();
    while (due.size() < limit && !byTime.isEmpty() && !byTime.getFirst().due().isAfter(now)) {
      Entry entry = byTime.getFirst();
      remove(entry.key());
      due.add(entry);
    }
    return due;
  }

  /** When the next entry is due. */
  Optional<Instant> next() {
    return byTime.isEmpty() ? Optional.empty() : Optional.of(byTime.getFirst().due());
  }
}
