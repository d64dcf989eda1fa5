package dev.sluice.model.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A cache that lets equal parts of many objects share memory: the pods of a Job differ in little
 * more than their names.
 *
 * <p>It keeps, for each hash, the small part that it saw last, in tables of fixed size: rare parts
 * are soon dropped, and common parts are found again. Sharing is visible only by comparing
 * references. A shared part keeps its JSON, which is then not written again for each object.
 *
 * <p>Threads: safe, without a lock. Values are immutable, so a race between two writers of a slot
 * costs at most a chance to share.
 */
public final class SharedValues {
  private static final int PARTS = 1 << 16;
  private static final int NAMES = 1 << 10;

  /**
   * The maximum size: larger parts are rarely equal, and would let a client fill the memory through
   * the table.
   */
  private static final int MAX_CHARACTERS = 1024;

  private final @Nullable Value[] parts = new Value[PARTS];
  private final AtomicReferenceArray<@Nullable Published<String[]>> names =
      new AtomicReferenceArray<>(NAMES);

  /**
   * An equal object that shares what it can with others.
   *
   * <p>No other object has the same metadata, spec and status as a whole, so only the parts inside
   * them are looked up.
   *
   * @param before the object that this one replaces, whose parts are shared already; empty if none
   */
  public Tree share(Tree object, Tree before) {
    return object.sharing(
        this::sameNames,
        (name, value) ->
            value instanceof Tree section ? section(section, before.tree(name)) : part(value));
  }

  private Tree section(Tree section, Tree before) {
    if (section.equals(before)) {
      return before;
    }
    return section.sharing(
        this::sameNames,
        (name, value) -> {
          Value was = before.at(name);
          return value.equals(was) ? was : part(value);
        });
  }

  private Value part(Value value) {
    if (value instanceof Value.Flag || value instanceof Value.Null) {
      return value;
    }
    if (left(value, MAX_CHARACTERS) < 0) {
      return ofSharedParts(value);
    }
    int slot = slot(value.hashCode(), PARTS);
    Value known = parts[slot];
    if (known != null && known.equals(value)) {
      keepJson(known);
      return known;
    }
    Value shared = ofSharedParts(value);
    parts[slot] = shared;
    return shared;
  }

  private static void keepJson(Value part) {
    if (part instanceof Tree tree) {
      tree.keepJson();
    } else if (part instanceof Items(List<Value> items)) {
      items.forEach(SharedValues::keepJson);
    }
  }

  private Value ofSharedParts(Value value) {
    return switch (value) {
      case Tree tree -> tree.sharing(this::sameNames, (_, field) -> part(field));
      case Items(List<Value> items) -> {
        var shared = new ArrayList<Value>(items.size());
        items.forEach(item -> shared.add(part(item)));
        yield new Items(shared);
      }
      case Value.Text _, Value.Whole _, Value.Decimal _, Value.Flag _, Value.Null _ -> value;
    };
  }

  private String[] sameNames(String[] wanted) {
    int slot = slot(Arrays.hashCode(wanted), NAMES);
    Published<String[]> known = names.getPlain(slot);
    if (known != null && Arrays.equals(known.array(), wanted)) {
      return known.array();
    }
    // A tree finds interned names faster.
    var interned = new String[wanted.length];
    for (int i = 0; i < wanted.length; i++) {
      interned[i] = wanted[i].intern();
    }
    names.setPlain(slot, new Published<>(interned));
    return interned;
  }

  /** Mixes the bits of a hash, whose low bits vary little. */
  private static int slot(int hash, int slots) {
    return ((hash * 0x9E3779B9) >>> 8) & (slots - 1);
  }

  /**
   * The rest of a budget of characters after a value, roughly; negative as soon as it is exceeded.
   */
  private static int left(Value value, int characters) {
    int left =
        characters
            - switch (value) {
              case Value.Text(String text) -> text.length() + 2;
              case Value.Decimal(var number) -> number.precision() + 2;
              default -> 8;
            };
    if (value instanceof Items(List<Value> items)) {
      for (int i = 0; i < items.size() && left >= 0; i++) {
        left = left(items.get(i), left);
      }
    } else if (value instanceof Tree tree) {
      for (int i = 0; i < tree.size() && left >= 0; i++) {
        left = left(tree.valueAt(i), left - tree.nameAt(i).length());
      }
    }
    return left;
  }
}
