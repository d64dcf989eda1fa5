package dev.sluice.apiserver.schema;

import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.tree.Value;
import java.util.function.Consumer;

/** One constraint of a schema on values. Values of other types pass. */
interface Constraint {
  void check(Value value, FieldPath path, Consumer<Cause> found);
}
