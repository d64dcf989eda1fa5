package dev.sluice.controllers.queueing.integration;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Sets of indexes as Indexed Jobs write them: {@code 0,2-5}. */
final class IndexRanges {
  private record Range(long first, long last) {}

  private IndexRanges() {}

  /** How many indexes below a bound are in either set. */
  static long count(String one, String other, long below) {
    List<Range> ranges = new ArrayList<>();
    Stream.of(one, other).forEach(text -> addAll(text, below, ranges));
    ranges.sort(Comparator.comparingLong(Range::first));
    long count = 0;
    long next = 0;
    for (Range range : ranges) {
      long first = Math.max(range.first(), next);
      count += Math.max(0, range.last() - first + 1);
      next = Math.max(next, range.last() + 1);
    }
    return count;
  }

  private static void addAll(String text, long below, List<Range> ranges) {
    for (String part : text.split(",", -1)) {
      if (part.matches("[0-9]{1,18}(-[0-9]{1,18})?")) {
        String[] ends = part.split("-", -1);
        long last = Math.min(Long.parseLong(ends[ends.length - 1]), below - 1);
        ranges.add(new Range(Long.parseLong(ends[0]), last));
      }
    }
  }
}
