package dev.sluice.apiserver.schema;

import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.function.Function;

/** The schemas that {@code allOf}, {@code anyOf}, {@code oneOf} and {@code not} add to a node. */
record Alternatives(List<Schema> allOf, List<Schema> anyOf, List<Schema> oneOf, List<Schema> not) {
  private static final Alternatives NONE =
      new Alternatives(List.of(), List.of(), List.of(), List.of());

  static Alternatives of(Tree openApi, Function<Tree, Schema> parse) {
    var found =
        new Alternatives(
            openApi.trees("allOf").stream().map(parse).toList(),
            openApi.trees("anyOf").stream().map(parse).toList(),
            openApi.trees("oneOf").stream().map(parse).toList(),
            openApi.at("not") instanceof Tree not ? List.of(parse.apply(not)) : List.of());
    return found.equals(NONE) ? NONE : found;
  }
}
