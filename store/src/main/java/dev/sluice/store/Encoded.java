package dev.sluice.store;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;

/**
 * An object as it goes to the disk: JSON without its resourceVersion, which the row's revision
 * stands for and which is unknown while the caller's thread does the encoding.
 */
final class Encoded {
  static final Encoded NOTHING = new Encoded(new byte[0]);

  private static final int PLAIN_DEPTH = 100;
  private static final int PLAIN_NAME = 1000;
  private static final int PLAIN_TEXT = 1_000_000;

  private final byte[] json;

  private Encoded(byte[] json) {
    this.json = json;
  }

  /**
   * Encodes an object. What can be written but not read, such as too deep a tree, would make the
   * whole store unreadable at the next start: so whatever is not plainly readable is read back.
   */
  static Encoded of(ObjectKey key, ApiObject object) {
    Tree tree = object.withoutMetadata("resourceVersion").tree();
    var encoded = new Encoded(Json.bytes(tree));
    if (isPlain(tree, PLAIN_DEPTH)) {
      return encoded;
    }
    try {
      encoded.tree();
    } catch (MalformedText unreadable) {
      throw new IllegalArgumentException(
          "%s cannot be stored: its JSON could not be read again (%s)"
              .formatted(key, unreadable.getMessage()),
          unreadable);
    }
    return encoded;
  }

  /** Whether a value is far from everything that a reader of JSON has a limit for. */
  private static boolean isPlain(Value value, int depth) {
    return switch (value) {
      case Value.Text(String text) -> text.length() <= PLAIN_TEXT;
      case Value.Whole _, Value.Flag _, Value.Null _ -> true;
      case Value.Decimal _ -> false;
      case Items(List<Value> items) -> depth > 0 && arePlain(items, depth - 1);
      case Tree tree -> depth > 0 && areFieldsPlain(tree, depth - 1);
    };
  }

  private static boolean arePlain(List<Value> items, int depth) {
    for (Value item : items) {
      if (!isPlain(item, depth)) {
        return false;
      }
    }
    return true;
  }

  private static boolean areFieldsPlain(Tree tree, int depth) {
    for (int i = 0; i < tree.size(); i++) {
      if (tree.nameAt(i).length() > PLAIN_NAME || !isPlain(tree.valueAt(i), depth)) {
        return false;
      }
    }
    return true;
  }

  static Encoded ofBytes(byte[] json) {
    return new Encoded(json);
  }

  /** The object as stored at a revision. */
  ApiObject decode(long revision) {
    return Write.stamped(new ApiObject(tree()), revision);
  }

  /** The bytes themselves, not a copy; they must not be changed. */
  byte[] bytes() {
    return json;
  }

  private Tree tree() {
    return Json.parseTree(json);
  }
}
