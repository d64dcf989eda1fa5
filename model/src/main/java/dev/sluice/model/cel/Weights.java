package dev.sluice.model.cel;

import dev.cel.common.values.CelByteString;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The weights of values. A list may hold the same element many times and so weigh far more than the
 * memory it takes; weighing stops when it is enough.
 */
public final class Weights {
  private static final int CHARACTERS_A_STEP = 10;

  private final long enough;
  private long sum;

  private Weights(long enough) {
    this.enough = enough;
  }

  /** The weight of a string. */
  public static long of(String text) {
    return text.length() / CHARACTERS_A_STEP;
  }

  static long of(Object value, long enough) {
    var weights = new Weights(enough);
    weights.add(value);
    return weights.sum;
  }

  private void add(Object value) {
    switch (value) {
      case String text -> sum += of(text);
      case CelByteString bytes -> sum += bytes.size() / CHARACTERS_A_STEP;
      case Weighed weighed -> sum += weighed.weight(enough - sum);
      case List<?> list -> addAll(list);
      case Map<?, ?> map -> addAll(map.values());
      case Optional<?> optional -> optional.ifPresent(this::add);
      default -> {}
    }
  }

  private void addAll(Iterable<?> elements) {
    for (Object element : elements) {
      if (sum > enough) {
        return;
      }
      sum++;
      add(element);
    }
  }
}
