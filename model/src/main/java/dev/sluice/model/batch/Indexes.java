package dev.sluice.model.batch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;

/**
 * A set of indexes of an Indexed Job, kept as runs of neighbours, so that a hundred thousand
 * consecutive indexes cost no more than one.
 *
 * <p>As a string it is a list of runs, such as {@code 0,2-5,7,8}: a run of two is written as two
 * indexes.
 */
public record Indexes(List<Run> runs) {
  public static final Indexes NONE = new Indexes(List.of());

  /** All indexes from the first to the last. */
  public record Run(long first, long last) {
    private long size() {
      return last - first + 1;
    }
  }

  public Indexes {
    runs = List.copyOf(runs);
  }

  /**
   * The indexes below a bound in a string. Invalid parts and indexes above the bound are left out:
   * a status may be older than the spec.
   */
  public static Indexes parse(String text, long below) {
    var runs = new ArrayList<Run>();
    for (String part : text.split(",", -1)) {
      if (part.matches("[0-9]{1,18}(-[0-9]{1,18})?")) {
        String[] ends = part.split("-", -1);
        long first = Long.parseLong(ends[0]);
        long last = Math.min(Long.parseLong(ends[ends.length - 1]), below - 1);
        if (first <= last) {
          runs.add(new Run(first, last));
        }
      }
    }
    return merged(runs);
  }

  public static Indexes of(SortedSet<Long> indexes) {
    return merged(new ArrayList<>(indexes.stream().map(index -> new Run(index, index)).toList()));
  }

  private static Indexes merged(List<Run> runs) {
    runs.sort(Comparator.comparingLong(Run::first));
    var merged = new ArrayList<Run>();
    for (Run run : runs) {
      Run before = merged.isEmpty() ? null : merged.getLast();
      if (before != null && run.first() <= before.last() + 1) {
        merged.set(merged.size() - 1, new Run(before.first(), Math.max(before.last(), run.last())));
      } else {
        merged.add(run);
      }
    }
    return new Indexes(merged);
  }

  public boolean isEmpty() {
    return runs.isEmpty();
  }

  public long size() {
    return runs.stream().mapToLong(Run::size).sum();
  }

  public boolean contains(long index) {
    return pastRun(index) > index;
  }

  public boolean containsAll(Indexes others) {
    return others.runs.stream().allMatch(run -> pastRun(run.first()) > run.last());
  }

  /** The first index from here on that is not in this set. */
  public long pastRun(long index) {
    int low = 0;
    int high = runs.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      Run run = runs.get(middle);
      if (run.last() < index) {
        low = middle + 1;
      } else if (run.first() > index) {
        high = middle - 1;
      } else {
        return run.last() + 1;
      }
    }
    return index;
  }

  public Indexes plus(Indexes others) {
    if (others.isEmpty()) {
      return this;
    }
    var all = new ArrayList<>(runs);
    all.addAll(others.runs);
    return merged(all);
  }

  /** Those that are in both sets. */
  public Indexes shared(Indexes others) {
    var shared = new ArrayList<Run>();
    int own = 0;
    int other = 0;
    while (own < runs.size() && other < others.runs.size()) {
      Run one = runs.get(own);
      Run two = others.runs.get(other);
      long first = Math.max(one.first(), two.first());
      long last = Math.min(one.last(), two.last());
      if (first <= last) {
        shared.add(new Run(first, last));
      }
      if (one.last() < two.last()) {
        own++;
      } else {
        other++;
      }
    }
    return new Indexes(shared);
  }

  /** The string that {@link #parse} reads. */
  public String text() {
    var text = new StringBuilder();
    for (Run run : runs) {
      text.append(text.isEmpty() ? "" : ",").append(run.first());
      if (run.size() > 1) {
        text.append(run.size() == 2 ? "," : "-").append(run.last());
      }
    }
    return text.toString();
  }
}
