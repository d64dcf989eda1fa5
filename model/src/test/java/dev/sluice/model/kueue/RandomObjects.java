package dev.sluice.model.kueue;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Objects with fields of their schema, at random. They have the shape that schemas ask for, and
 * where two fields belong together, they fit.
 */
final class RandomObjects {
  private static final int MAX_ITEMS = 3;

  private final RandomGenerator random;

  RandomObjects(RandomGenerator random) {
    this.random = random;
  }

  ApiObject object(String kind, String apiVersion) {
    return new ApiObject(
        value(Schemas.of(kind, apiVersion), "")
            .asTree()
            .with("apiVersion", apiVersion)
            .with("kind", kind)
            .with("metadata", Tree.of("name", "a", "labels", Tree.of("x", "y"))));
  }

  private Value value(Tree schema, String name) {
    if (name.equals("topologyAssignment")) {
      return assignment(schema.at("properties").asTree().has("slices"));
    }
    if (name.equals("priorityClassRef")) {
      return random.nextBoolean()
          ? Tree.of("group", "kueue.x-k8s.io", "kind", "WorkloadPriorityClass", "name", "high")
          : Tree.of("group", "scheduling.k8s.io", "kind", "PriorityClass", "name", "high");
    }
    List<Value> choices = schema.items("enum");
    if (!choices.isEmpty()) {
      return choices.get(random.nextInt(choices.size()));
    }
    return switch (schema.text("type")) {
      case "object" -> tree(schema);
      case "array" ->
          Items.of(
              IntStream.range(0, random.nextInt(MAX_ITEMS))
                  .mapToObj(i -> value(schema.tree("items"), ""))
                  .toList());
      case "boolean" -> Value.of(random.nextBoolean());
      case "integer" -> Value.of(random.nextInt(1, 100));
      default -> Value.of("t" + random.nextInt(100));
    };
  }

  private Tree tree(Tree schema) {
    Tree tree = Tree.EMPTY;
    for (String name : schema.tree("properties").names()) {
      if (random.nextInt(3) > 0) {
        tree = tree.with(name, value(schema.tree("properties", name), name));
      }
    }
    if (schema.at("additionalProperties") instanceof Tree values) {
      tree = tree.with("key" + random.nextInt(10), value(values, ""));
    }
    return tree;
  }

  private Tree assignment(boolean inSlices) {
    int levels = random.nextInt(1, 4);
    Tree assignment =
        Tree.of("levels", IntStream.range(0, levels).mapToObj(i -> "level-" + i).toList());
    int runs = random.nextInt(MAX_ITEMS);
    if (inSlices) {
      return assignment.with(
          "slices", IntStream.range(0, runs).mapToObj(i -> slice(levels)).toList());
    }
    return assignment.with(
        "domains",
        IntStream.range(0, runs)
            .mapToObj(i -> Tree.of("values", texts(levels), "count", random.nextInt(1, 3)))
            .toList());
  }

  private Tree slice(int levels) {
    int domains = random.nextInt(1, 4);
    Tree counts =
        random.nextBoolean()
            ? Tree.of("universal", 2)
            : Tree.of("individual", random.ints(domains, 1, 3).boxed().toList());
    List<Tree> values =
        IntStream.range(0, levels)
            .mapToObj(level ->
                level > 0 && random.nextBoolean()
                    ? Tree.of("universal", "v" + level)
                    : Tree.of("individual", Tree.of("prefix", "p-", "roots", texts(domains))))
            .toList();
    return Tree.of("domainCount", domains, "podCounts", counts, "valuesPerLevel", values);
  }

  /** Texts of few letters, so that they often begin or end alike. */
  private List<String> texts(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "ab".repeat(random.nextInt(3)) + "b".repeat(random.nextInt(3)))
        .toList();
  }
}
