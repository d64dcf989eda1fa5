package dev.sluice.model.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class MergePatchTest {

  record Case(String target, String patch, String want) {}

  static final List<Case> CASES =
      List.of(
          new Case("{'a':'b'}", "{'a':'c'}", "{'a':'c'}"),
          new Case("{'a':'b'}", "{'b':'c'}", "{'a':'b','b':'c'}"),
          new Case("{'a':'b','b':'c'}", "{'a':null}", "{'b':'c'}"),
          new Case("{'a':['b']}", "{'a':['c','d']}", "{'a':['c','d']}"),
          new Case("{'a':{'b':'c'}}", "{'a':{'b':'d','c':null}}", "{'a':{'b':'d'}}"),
          new Case("{'a':'text'}", "{'a':{'b':{'c':null}}}", "{'a':{'b':{}}}"),
          new Case("{}", "{'a':{'b':null}}", "{'a':{}}"));

  @ParameterizedTest
  @FieldSource("CASES")
  void applies(Case c) {
    assertThat(MergePatch.apply(tree(c.target()), tree(c.patch()))).isEqualTo(tree(c.want()));
  }

  @Test
  void theDifferenceOfTwoTreesTurnsOneIntoTheOther() {
    long seed = Long.getLong("seed", System.nanoTime());
    var random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      Tree before = tree(random, 3);
      Tree after = tree(random, 3);

      assertThat(MergePatch.apply(before, MergePatch.diff(before, after)))
          .as("seed %d, round %d", seed, round)
          .isEqualTo(after);
      assertThat(MergePatch.diff(before, before)).isEqualTo(Tree.EMPTY);
    }
  }

  private static Tree tree(Random random, int depth) {
    Tree tree = Tree.EMPTY;
    for (int i = 0; i < random.nextInt(4); i++) {
      Object value =
          switch (random.nextInt(depth > 0 ? 4 : 3)) {
            case 0 -> "t" + random.nextInt(3);
            case 1 -> random.nextInt(3);
            case 2 -> List.of(random.nextInt(3));
            default -> tree(random, depth - 1);
          };
      tree = tree.with("f" + random.nextInt(4), value);
    }
    return tree;
  }

  private static Tree tree(String json) {
    return Json.parse(json.replace('\'', '"')).asTree();
  }
}
