package dev.sluice.model.batch;

import dev.sluice.model.tree.Tree;
import java.util.Optional;
import java.util.OptionalLong;

/** One rule of a Job's {@code successPolicy}. */
public record SuccessRule(Tree tree) {

  /** The indexes that must succeed; empty for all. */
  public Optional<Indexes> indexes(long completions) {
    return tree.has("succeededIndexes")
        ? Optional.of(Indexes.parse(tree.text("succeededIndexes"), completions))
        : Optional.empty();
  }

  /** The number of them that must succeed; empty for all. */
  public OptionalLong count() {
    return tree.whole("succeededCount");
  }
}
