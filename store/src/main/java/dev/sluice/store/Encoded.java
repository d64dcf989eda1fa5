package dev.sluice.store;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;

/**
 * An object as it goes to the disk: JSON without its resourceVersion, which the row's revision
 * stands for and which is unknown while the caller's thread does the encoding.
 */
final class Encoded {
  static final Encoded NOTHING = new Encoded(new byte[0]);

  private final byte[] json;

  private Encoded(byte[] json) {
    this.json = json;
  }

  /**
   * Encodes an object and reads it back: what can be written but not read, such as too deep a tree,
   * would make the whole store unreadable at the next start.
   */
  static Encoded of(ObjectKey key, ApiObject object) {
    var encoded = new Encoded(Json.bytes(object.withoutMetadata("resourceVersion").tree()));
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
