package dev.sluice.model.tree;

import java.util.Arrays;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The builder of a tree from fields in any order, fastest in the order of their names, which is how
 * we write them. A duplicate name is reported once, and its last value wins.
 */
final class TreeBuilder {
  private static final int MANY = 64;

  private String[] names = new String[8];
  private Value[] values = new Value[8];
  private int size;

  /** Used when many fields come out of order: moving all of them each time would take too long. */
  private @Nullable TreeMap<String, Value> disordered;

  /** Returns whether the name was new. */
  boolean put(String name, Value value) {
    if (disordered != null) {
      return disordered.put(name, value) == null;
    }
    if (size == 0 || names[size - 1].compareTo(name) < 0) {
      insert(size, name, value);
      return true;
    }
    if (size >= MANY) {
      var all = new TreeMap<String, Value>();
      build().forEach(all::put);
      disordered = all;
      return put(name, value);
    }
    int index = Arrays.binarySearch(names, 0, size, name);
    if (index >= 0) {
      values[index] = value;
      return false;
    }
    insert(-index - 1, name, value);
    return true;
  }

  private void insert(int at, String name, Value value) {
    if (size == names.length) {
      names = Arrays.copyOf(names, 2 * size);
      values = Arrays.copyOf(values, 2 * size);
    }
    System.arraycopy(names, at, names, at + 1, size - at);
    System.arraycopy(values, at, values, at + 1, size - at);
    names[at] = name;
    values[at] = value;
    size++;
  }

  Tree build() {
    if (disordered != null) {
      return new Tree(
          disordered.keySet().toArray(String[]::new), disordered.values().toArray(Value[]::new));
    }
    return size == 0
        ? Tree.EMPTY
        : new Tree(Arrays.copyOf(names, size), Arrays.copyOf(values, size));
  }
}
