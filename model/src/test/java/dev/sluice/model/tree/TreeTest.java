package dev.sluice.model.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TreeTest {

  @Test
  void aChangeSharesWhatDidNotChange() {
    Tree pod = Tree.of("spec", Tree.of("a", 1), "status", Tree.of("phase", "Pending"));

    Tree running = pod.with(List.of("status", "phase"), "Running");

    assertThat(running.text("status", "phase")).isEqualTo("Running");
    assertThat(pod.text("status", "phase")).isEqualTo("Pending");
    assertThat(running.tree("spec")).isSameAs(pod.tree("spec"));
  }

  @Test
  void aChangeThatChangesNothingIsTheTreeItself() {
    Tree tree = Tree.of("a", Tree.of("b", "c"), "n", 1);

    assertThat(tree.with(List.of("a", "b"), "c")).isSameAs(tree);
    assertThat(tree.without(List.of("a", "x"))).isSameAs(tree);
    assertThat(tree.without("x")).isSameAs(tree);
  }

  @Test
  void missingFieldReadsAsEmpty() {
    Tree tree = Tree.of("text", "t", "null", Value.Null.NULL);

    assertThat(tree.text("a", "b")).isEmpty();
    assertThat(tree.text("text", "below")).isEmpty();
    assertThat(tree.tree("null").isEmpty()).isTrue();
    assertThat(tree.trees("text")).isEmpty();
    assertThat(tree.whole("text")).isEmpty();
    assertThat(tree.has("null")).isTrue();
    assertThat(tree.has("a")).isFalse();
  }

  @Test
  void namesWithDotsAreNames() {
    Tree tree = Tree.EMPTY.with(List.of("labels", "kueue.x-k8s.io/queue-name"), "q");

    assertThat(tree.texts("labels")).containsEntry("kueue.x-k8s.io/queue-name", "q");
  }

  @Test
  void behavesLikeASortedMap() {
    long seed = Long.getLong("seed", System.nanoTime());
    var random = new Random(seed);
    Tree tree = Tree.EMPTY;
    var model = new TreeMap<String, Value>();

    for (int step = 0; step < 2_000; step++) {
      String name = "f" + random.nextInt(40);
      if (random.nextInt(3) == 0) {
        tree = tree.without(name);
        model.remove(name);
      } else {
        tree = tree.with(name, step);
        model.put(name, new Value.Whole(step));
      }
      assertThat(tree).as("seed %d, step %d", seed, step).isEqualTo(Tree.of(model));
      assertThat(tree.names()).containsExactlyElementsOf(model.keySet());
    }
  }
}
