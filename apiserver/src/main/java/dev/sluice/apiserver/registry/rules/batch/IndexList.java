package dev.sluice.apiserver.registry.rules.batch;

/**
 * A list of indexes, such as {@code 0,2-5}, validated more strictly than it is parsed.
 *
 * @param count the number of indexes, as far as it could be parsed
 * @param problem the problem with it, empty if it is valid
 */
record IndexList(long count, String problem) {

  static IndexList of(String text, long completions) {
    if (text.isEmpty()) {
      return new IndexList(0, "");
    }
    long count = 0;
    long last = -1;
    for (String part : text.split(",", -1)) {
      String[] ends = part.split("-", -1);
      String problem = problem(part, ends, completions);
      if (!problem.isEmpty()) {
        return new IndexList(0, problem);
      }
      long first = Long.parseLong(ends[0]);
      if (first <= last) {
        return new IndexList(0, unordered(last, first));
      }
      last = Long.parseLong(ends[ends.length - 1]);
      count += last - first + 1;
    }
    return new IndexList(count, "");
  }

  private static String problem(String part, String[] ends, long completions) {
    if (ends.length > 2) {
      return ("the fragment \"%s\" violates the requirement that an index interval can have at most"
              + " two parts separated by '-'")
          .formatted(part);
    }
    for (String end : ends) {
      if (!end.matches("\\+?[0-9]{1,18}")) {
        return "cannot convert string to integer for index: \"" + end + "\"";
      }
      if (Long.parseLong(end) >= completions) {
        return "too large index: \"" + end + "\"";
      }
    }
    return ends.length == 2 && Long.parseLong(ends[0]) >= Long.parseLong(ends[1])
        ? unordered(Long.parseLong(ends[0]), Long.parseLong(ends[1]))
        : "";
  }

  private static String unordered(long before, long after) {
    return "non-increasing order, previous: %d, current: %d".formatted(before, after);
  }
}
