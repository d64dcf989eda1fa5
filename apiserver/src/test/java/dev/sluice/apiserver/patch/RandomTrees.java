package dev.sluice.apiserver.patch;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Makes small trees without nulls whose names repeat, so that patches of one fit another. */
record RandomTrees(RandomGenerator random) {
  private static final List<String> NAMES = List.of("a", "b", "c", "d/e", "f~g");

  /** The seed of this run: {@code -Dseed=} replays one. */
  static long seed() {
    return Long.getLong("seed", System.nanoTime());
  }

  Tree tree(int depth) {
    Tree tree = Tree.EMPTY;
    for (int i = random.nextInt(4); i > 0; i--) {
      tree = tree.with(name(), value(depth - 1));
    }
    return tree;
  }

  String name() {
    return NAMES.get(random.nextInt(NAMES.size()));
  }

  Value value(int depth) {
    int kind = random.nextInt(depth > 0 ? 6 : 3);
    return switch (kind) {
      case 0 -> new Value.Text("t" + random.nextInt(3));
      case 1 -> new Value.Whole(random.nextInt(3));
      case 2 -> Value.Flag.of(random.nextBoolean());
      case 3 -> items(depth);
      default -> tree(depth);
    };
  }

  private Items items(int depth) {
    var items = new ArrayList<Value>();
    for (int i = random.nextInt(4); i > 0; i--) {
      items.add(value(depth - 1));
    }
    return new Items(items);
  }
}
