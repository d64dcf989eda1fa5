package dev.sluice.model.tree;

import java.util.Collection;
import java.util.List;

/** A JSON array. */
public record Items(List<Value> values) implements Value.Container {
  public static final Items EMPTY = new Items(List.of());

  public Items {
    values = List.copyOf(values);
  }

  /** The array of the results of {@link Value#of} for each element. */
  public static Items of(Collection<?> elements) {
    return elements.isEmpty()
        ? EMPTY
        : new Items(elements.stream().map(element -> Value.of(element)).toList());
  }

  @Override
  public String toString() {
    return Json.write(this);
  }
}
