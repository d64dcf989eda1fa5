package dev.sluice.apiserver.schema;

import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.tree.Value;
import java.util.function.Consumer;

/** One thing a schema asks of a value. Values of another type than it speaks of pass. */
interface Constraint {
  void check(Value value, FieldPath path, Consumer<Cause> found);
}
