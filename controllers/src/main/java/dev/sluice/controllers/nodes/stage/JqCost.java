package dev.sluice.controllers.nodes.stage;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;

/**
 * What a jq program may cost at most for an object. The library cannot be stopped while it runs, so
 * this is known before.
 *
 * @param lists how many lists it goes through, one inside the other in the worst case
 * @param doublings how often it may double what it has
 * @param opensTexts whether it turns texts into lists
 */
record JqCost(int lists, int doublings, boolean opensTexts) {
  private static final int CHARACTERS_A_STEP = 10;

  /** The most steps for an object. */
  long of(Tree object) {
    var size = new Size();
    size.add(object);
    long width = Math.max(size.widest, opensTexts ? size.characters : 1);
    long steps = 1;
    for (int i = 0; i < lists; i++) {
      steps = times(steps, width);
    }
    steps = saturated(steps, size.values + size.characters / CHARACTERS_A_STEP);
    return times(steps, 1L << doublings);
  }

  private static long saturated(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }

  private static long times(long one, long other) {
    return other != 0 && one > Long.MAX_VALUE / other ? Long.MAX_VALUE : one * other;
  }

  /** The size of an object: its values, its characters, and its widest list or object. */
  private static final class Size {
    private long values;
    private long characters;
    private long widest = 1;

    void add(Value value) {
      values++;
      switch (value) {
        case Value.Text(String text) -> characters += text.length();
        case Items(List<Value> items) -> {
          widest = Math.max(widest, items.size());
          items.forEach(this::add);
        }
        case Tree tree -> {
          widest = Math.max(widest, tree.size());
          tree.forEach((name, field) -> add(field));
        }
        case Value.Whole _, Value.Decimal _, Value.Flag _, Value.Null _ -> {}
      }
    }
  }
}
