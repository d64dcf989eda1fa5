package dev.sluice.model.patch;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;

/**
 * The limit on what the operations of one patch add to a document.
 *
 * <p>A short patch can copy a tree into itself again and again. Shared subtrees make that cheap in
 * memory, but it would be written in full, and be nested too deeply to be read back.
 */
final class Growth {
  private static final int MAX_DEPTH = 500;
  private static final long MAX_WEIGHT = 8L << 20;

  private long weight;

  /** Returns {@code value} if it may be put at {@code path}. */
  Value admit(Pointer path, Value value) {
    weigh(value, path.tokens().size());
    return value;
  }

  private void weigh(Value value, int depth) {
    weight += 8;
    if (depth > MAX_DEPTH || weight > MAX_WEIGHT) {
      throw ApiFailure.because(
          Reason.REQUEST_ENTITY_TOO_LARGE,
          "the patch would make an object that is too large: at most %d bytes may be added, nested"
                  .formatted(MAX_WEIGHT)
              + " at most "
              + MAX_DEPTH
              + " levels deep");
    }
    switch (value) {
      case Value.Text(String text) -> weight += text.length();
      case Items(List<Value> items) -> items.forEach(item -> weigh(item, depth + 1));
      case Tree tree ->
          tree.forEach((name, child) -> {
            weight += name.length();
            weigh(child, depth + 1);
          });
      case Value.Whole ignored -> {}
      case Value.Decimal ignored -> {}
      case Value.Flag ignored -> {}
      case Value.Null ignored -> {}
    }
  }
}
