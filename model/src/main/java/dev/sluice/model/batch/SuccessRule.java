package dev.sluice.model.batch;

import dev.sluice.model.tree.Tree;
import java.util.Optional;
import java.util.OptionalLong;

/** One rule of a Job's {@code successPolicy}: which indexes are enough. */
public record SuccessRule(Tree tree) {

  /** The indexes that matter; empty if all do. */
  public Optional<Indexes> indexes(long completions) {
    return tree.has("succeededIndexes")
        ? Optional.of(Indexes.parse(tree.text("succeededIndexes"), completions))
        : Optional.empty();
  }

  /** How many of them must have succeeded; empty if all must. */
  public OptionalLong count() {
    return tree.whole("succeededCount");
  }
}
