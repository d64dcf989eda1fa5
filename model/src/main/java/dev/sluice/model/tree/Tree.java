package dev.sluice.model.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object: an immutable map from names to values, kept in the order of the names.
 *
 * <p>Every change makes a new tree that shares whatever did not change, and a change that changes
 * nothing returns the tree itself. So "did anything change?" is usually one reference comparison,
 * and equal trees are written as equal bytes.
 *
 * <p>Reading follows Kubernetes: what is absent, null or of another type reads as empty. Paths are
 * lists of names because names may contain dots.
 */
public final class Tree implements Value.Container {
  public static final Tree EMPTY = new Tree(new String[0], new Value[0]);

  private static final int FEW = 16;

  private final String[] names;
  private final Value[] values;

  /** Its JSON, if it is worth keeping. It never changes, so a race only repeats the work. */
  private @Nullable Published<byte[]> json;

  /** A tree of sorted names; the arrays must not be changed afterwards. */
  Tree(String[] names, Value[] values) {
    this.names = names;
    this.values = values;
  }

  /** A tree of alternating names and values, as {@link Value#of} takes them. */
  public static Tree of(Object... namesAndValues) {
    var fields = new TreeBuilder();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put((String) namesAndValues[i], Value.of(namesAndValues[i + 1]));
    }
    return fields.build();
  }

  /** The tree of a map with string keys. */
  public static Tree of(Map<?, ?> fields) {
    var built = new TreeBuilder();
    fields.forEach((name, value) -> built.put((String) name, Value.of(value)));
    return built.build();
  }

  public int size() {
    return names.length;
  }

  public boolean isEmpty() {
    return names.length == 0;
  }

  public boolean has(String name) {
    return indexOf(name) >= 0;
  }

  /** The names, in order. */
  public List<String> names() {
    return Collections.unmodifiableList(Arrays.asList(names));
  }

  /** The name of the field at a place in the order. */
  public String nameAt(int index) {
    return names[index];
  }

  /** The value of the field at a place in the order. */
  public Value valueAt(int index) {
    return values[index];
  }

  public void forEach(BiConsumer<String, Value> action) {
    for (int i = 0; i < names.length; i++) {
      action.accept(names[i], values[i]);
    }
  }

  /** The value at the path, or {@link Value.Null#NULL} if it does not exist. */
  public Value at(String... path) {
    Value value = this;
    for (String name : path) {
      value = value instanceof Tree tree ? tree.at(name) : Null.NULL;
    }
    return value;
  }

  /** The same without an array for the path, as in the next methods: most paths are short. */
  public Value at(String name) {
    int index = indexOf(name);
    return index < 0 ? Null.NULL : values[index];
  }

  public Value at(String outer, String inner) {
    return at(outer) instanceof Tree tree ? tree.at(inner) : Null.NULL;
  }

  public String text(String name) {
    return at(name).asText();
  }

  public String text(String outer, String inner) {
    return at(outer, inner).asText();
  }

  public Tree tree(String name) {
    return at(name).asTree();
  }

  public String text(String... path) {
    return at(path).asText();
  }

  public boolean flag(String... path) {
    return at(path) == Flag.TRUE;
  }

  public OptionalLong whole(String... path) {
    return at(path) instanceof Whole(long value) ? OptionalLong.of(value) : OptionalLong.empty();
  }

  public Tree tree(String... path) {
    return at(path).asTree();
  }

  public List<Value> items(String... path) {
    return at(path) instanceof Items(List<Value> found) ? found : List.of();
  }

  /** The elements of an array that are objects. */
  public List<Tree> trees(String... path) {
    List<Value> items = items(path);
    var trees = new ArrayList<Tree>(items.size());
    for (Value item : items) {
      if (item instanceof Tree tree) {
        trees.add(tree);
      }
    }
    return Collections.unmodifiableList(trees);
  }

  /** The strings of an object of strings, such as labels. */
  public SortedMap<String, String> texts(String... path) {
    var texts = new TreeMap<String, String>();
    tree(path)
        .forEach((name, value) -> {
          if (value instanceof Text(String text)) {
            texts.put(name, text);
          }
        });
    return Collections.unmodifiableSortedMap(texts);
  }

  /** The strings of an array of strings, such as finalizers. */
  public List<String> textItems(String... path) {
    var texts = new ArrayList<String>();
    for (Value item : items(path)) {
      if (item instanceof Text(String text)) {
        texts.add(text);
      }
    }
    return Collections.unmodifiableList(texts);
  }

  /** This tree with one field set. */
  public Tree with(String name, Object value) {
    Value changed = Value.of(value);
    int index = indexOf(name);
    if (index >= 0) {
      return values[index].equals(changed)
          ? this
          : new Tree(names, Copies.replacing(values, index, changed));
    }
    int at = -index - 1;
    return new Tree(Copies.inserting(names, at, name), Copies.inserting(values, at, changed));
  }

  /** This tree with the value at the path set; missing trees on the path are created. */
  public Tree with(List<String> path, Object value) {
    String name = path.getFirst();
    return path.size() == 1
        ? with(name, value)
        : with(name, tree(name).with(path.subList(1, path.size()), value));
  }

  /** This tree without one field. */
  public Tree without(String name) {
    int index = indexOf(name);
    return index < 0 ? this : new Tree(Copies.without(names, index), Copies.without(values, index));
  }

  /** This tree without the value at the path. */
  public Tree without(List<String> path) {
    String name = path.getFirst();
    if (path.size() == 1) {
      return without(name);
    }
    return at(name) instanceof Tree child
        ? with(name, child.without(path.subList(1, path.size())))
        : this;
  }

  /**
   * Names from the parser and names in our code are interned, so in a small tree a name is mostly
   * found without comparing characters. Otherwise this is {@link Arrays#binarySearch}, but for
   * strings only, which is faster.
   */
  @SuppressWarnings("ReferenceEquality")
  private int indexOf(String name) {
    if (names.length <= FEW) {
      for (int i = 0; i < names.length; i++) {
        if (names[i] == name) {
          return i;
        }
      }
    }
    int low = 0;
    int high = names.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = names[middle].compareTo(name);
      if (order == 0) {
        return middle;
      }
      low = order < 0 ? middle + 1 : low;
      high = order < 0 ? high : middle - 1;
    }
    return -low - 1;
  }

  /** Keeps its JSON from now on: many objects share this tree, and each is written. */
  void keepJson() {
    if (json == null) {
      json = new Published<>(Json.bytes(this));
    }
  }

  /** Its JSON if that is kept, the array itself; else null. */
  byte @Nullable [] json() {
    Published<byte[]> kept = json;
    return kept == null ? null : kept.array();
  }

  /**
   * An equal tree with the equal names and values that the functions return for those of this one;
   * the same instance if they return the same.
   */
  @SuppressWarnings("ReferenceEquality") // the identity of equal values matters here
  Tree sharing(UnaryOperator<String[]> equalNames, BiFunction<String, Value, Value> equalValue) {
    String[] sharedNames = equalNames.apply(names);
    Value[] sharedValues = values;
    for (int i = 0; i < values.length; i++) {
      Value shared = equalValue.apply(names[i], values[i]);
      if (shared != values[i]) {
        sharedValues = sharedValues == values ? values.clone() : sharedValues;
        sharedValues[i] = shared;
      }
    }
    return sharedNames == names && sharedValues == values
        ? this
        : new Tree(sharedNames, sharedValues);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Tree tree
            && Arrays.equals(names, tree.names)
            && Arrays.equals(values, tree.values));
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(names) + Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return Json.write(this);
  }
}
