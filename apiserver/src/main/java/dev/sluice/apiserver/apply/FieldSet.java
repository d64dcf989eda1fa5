package dev.sluice.apiserver.apply;

import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A set of fields of an object, in a tree of the steps that lead to them. Each node says whether
 * the field it stands for is in the set itself; what is below it may be in the set without it.
 *
 * <p>Written as {@code fieldsV1} it is a tree of objects: {@code {"f:data": {".": {}, "f:a": {}}}}
 * is the map {@code data} and its entry {@code a}.
 *
 * <p>Threads: immutable.
 */
public final class FieldSet {
  public static final FieldSet EMPTY = new FieldSet(false, Collections.emptySortedMap());

  /** The node of a field that is in the set, with nothing below. */
  static final FieldSet LEAF = new FieldSet(true, Collections.emptySortedMap());

  private static final String ITSELF = ".";

  private final boolean itself;
  private final SortedMap<PathElement, FieldSet> below;

  private FieldSet(boolean itself, SortedMap<PathElement, FieldSet> below) {
    this.itself = itself;
    this.below = below;
  }

  /** A node, which takes ownership of {@code below}. */
  private static FieldSet node(boolean itself, SortedMap<PathElement, FieldSet> below) {
    return below.isEmpty() ? (itself ? LEAF : EMPTY) : new FieldSet(itself, below);
  }

  /** The set of the one field at this path. */
  static FieldSet of(String... names) {
    FieldSet set = LEAF;
    for (int i = names.length - 1; i >= 0; i--) {
      var above = new TreeMap<PathElement, FieldSet>();
      above.put(new PathElement.Field(names[i]), set);
      set = node(false, above);
    }
    return set;
  }

  /** Collects the fields below one node. */
  static final class Builder {
    private final SortedMap<PathElement, FieldSet> below = new TreeMap<>();

    void put(PathElement step, FieldSet node) {
      if (!node.isEmpty()) {
        below.put(step, node);
      }
    }

    /** The node; nothing may be put afterwards. */
    FieldSet build(boolean itself) {
      return node(itself, below);
    }
  }

  /**
   * Reads {@code fieldsV1}.
   *
   * @throws MalformedText if it is not one
   */
  public static FieldSet parse(Tree written) {
    return node(false, parseBelow(written));
  }

  private static FieldSet parseNode(Value written) {
    if (!(written instanceof Tree tree)) {
      throw new MalformedText("a field in fieldsV1 must be an object, but is " + written);
    }
    return node(tree.isEmpty() || tree.has(ITSELF), parseBelow(tree));
  }

  private static SortedMap<PathElement, FieldSet> parseBelow(Tree written) {
    var below = new TreeMap<PathElement, FieldSet>();
    for (String name : written.names()) {
      if (!name.equals(ITSELF)) {
        FieldSet node = parseNode(written.at(name));
        PathElement.parse(name).ifPresent(step -> below.put(step, node));
      }
    }
    return below;
  }

  /** The set as {@code fieldsV1}. */
  public Tree written() {
    var fields = new TreeMap<String, Tree>();
    if (itself && !below.isEmpty()) {
      fields.put(ITSELF, Tree.EMPTY);
    }
    below.forEach((step, node) -> fields.put(step.written(), node.written()));
    return Tree.of(fields);
  }

  public boolean isEmpty() {
    return !itself && below.isEmpty();
  }

  /** Whether the field that this node stands for is in the set. */
  boolean itself() {
    return itself;
  }

  /** This node with the field it stands for. */
  FieldSet withItself() {
    return itself ? this : node(true, below);
  }

  /** The part of the set at and below a path element, empty if there is none. */
  FieldSet at(PathElement step) {
    return below.getOrDefault(step, EMPTY);
  }

  /** What is in either. */
  public FieldSet union(FieldSet other) {
    if (isEmpty()) {
      return other;
    }
    if (other.isEmpty()) {
      return this;
    }
    var all = new TreeMap<>(below);
    other.below.forEach((step, node) -> all.merge(step, node, FieldSet::union));
    return node(itself || other.itself, all);
  }

  /** What is in this and not in the other. */
  public FieldSet minus(FieldSet other) {
    return other.isEmpty() ? this : combine(other, itself && !other.itself, FieldSet::minus);
  }

  /** As {@link #minus}, but a field of the other set also removes everything below it. */
  public FieldSet minusAllBelow(FieldSet other) {
    if (other.itself) {
      return EMPTY;
    }
    return other.isEmpty() ? this : combine(other, itself, FieldSet::minusAllBelow);
  }

  /** What is in both. */
  public FieldSet intersection(FieldSet other) {
    return isEmpty() || other.isEmpty()
        ? EMPTY
        : combine(other, itself && other.itself, FieldSet::intersection);
  }

  private interface Operation {
    FieldSet of(FieldSet ours, FieldSet theirs);
  }

  private FieldSet combine(FieldSet other, boolean combinedItself, Operation operation) {
    var combined = new Builder();
    below.forEach((step, node) -> combined.put(step, operation.of(node, other.at(step))));
    return combined.build(combinedItself);
  }

  /** This set with the declared fields on the way to its fields. */
  FieldSet withDeclaredFields(MergeSchema schema) {
    var extended = new Builder();
    below.forEach((step, node) -> {
      FieldSet inside = node.withDeclaredFields(schema.at(step));
      boolean declared = step instanceof PathElement.Field(String name) && schema.declares(name);
      extended.put(step, declared ? inside.withItself() : inside);
    });
    return extended.build(itself);
  }

  /** The fields of the set, each as conflicts name it, in order. */
  public List<String> paths() {
    var paths = new ArrayList<String>();
    addPaths("", paths);
    return paths;
  }

  private void addPaths(String path, List<String> paths) {
    if (itself) {
      paths.add(path);
    }
    for (Map.Entry<PathElement, FieldSet> entry : below.entrySet()) {
      entry.getValue().addPaths(path + entry.getKey().shown(), paths);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FieldSet set && itself == set.itself && below.equals(set.below);
  }

  @Override
  public int hashCode() {
    return 31 * below.hashCode() + Boolean.hashCode(itself);
  }

  @Override
  public String toString() {
    return written().toString();
  }
}
