package dev.sluice.apiserver.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The list functions that Kubernetes adds to CEL. */
final class ListFunctions {
  private static final CelType ANY = TypeParamType.create("T");
  private static final CelType LIST = ListType.create(ANY);
  private static final long MAX_RANGE = 100_000;

  private ListFunctions() {}

  static void addTo(Library library) {
    library.member("isSorted", SimpleType.BOOL, LIST, List.class, ListFunctions::isSorted);
    library.member("sum", ANY, LIST, List.class, ListFunctions::sum);
    library.member("min", ANY, LIST, List.class, list -> extreme(list, "min", -1));
    library.member("max", ANY, LIST, List.class, list -> extreme(list, "max", 1));
    library.member(
        "indexOf", SimpleType.INT, LIST, List.class, ANY, Object.class, ListFunctions::indexOf);
    library.member(
        "lastIndexOf",
        SimpleType.INT,
        LIST,
        List.class,
        ANY,
        Object.class,
        ListFunctions::lastIndexOf);
  }

  /** The numbers from zero up to a bound. The list is built at once, so its length is limited. */
  static List<Long> range(long end) {
    if (end > MAX_RANGE) {
      throw new IllegalArgumentException(
          "lists.range(%d) is longer than %d".formatted(end, MAX_RANGE));
    }
    var range = new ArrayList<Long>();
    for (long i = 0; i < end; i++) {
      range.add(i);
    }
    return range;
  }

  private static boolean isSorted(List<?> list) {
    for (int i = 1; i < list.size(); i++) {
      if (compare(list.get(i - 1), list.get(i)) > 0) {
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("unchecked")
  private static int compare(Object one, Object other) {
    if (one instanceof Comparable<?> comparable && one.getClass() == other.getClass()) {
      return ((Comparable<Object>) comparable).compareTo(other);
    }
    throw new IllegalArgumentException("%s and %s cannot be compared".formatted(one, other));
  }

  private static Object sum(List<?> list) {
    Object sum = 0L;
    for (int i = 0; i < list.size(); i++) {
      Object element = list.get(i);
      sum =
          switch (element) {
            case Long number -> Math.addExact(i == 0 ? 0L : (Long) sum, number);
            case Double number -> (i == 0 ? 0.0 : (Double) sum) + number;
            case Duration duration -> (i == 0 ? Duration.ZERO : (Duration) sum).plus(duration);
            default -> throw new IllegalArgumentException("%s cannot be added".formatted(element));
          };
    }
    return sum;
  }

  private static Object extreme(List<?> list, String name, int direction) {
    if (list.isEmpty()) {
      throw new IllegalArgumentException(name + " called on an empty list");
    }
    Object extreme = list.getFirst();
    for (Object element : list) {
      extreme = compare(element, extreme) * direction > 0 ? element : extreme;
    }
    return extreme;
  }

  private static long indexOf(List<?> list, Object wanted) {
    for (int i = 0; i < list.size(); i++) {
      if (Equality.equal(list.get(i), wanted)) {
        return i;
      }
    }
    return -1;
  }

  private static long lastIndexOf(List<?> list, Object wanted) {
    for (int i = list.size() - 1; i >= 0; i--) {
      if (Equality.equal(list.get(i), wanted)) {
        return i;
      }
    }
    return -1;
  }
}
