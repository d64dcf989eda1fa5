package dev.sluice.apiserver.schema;

import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.bounds.Meter;
import dev.sluice.model.tree.Value;
import java.util.function.Consumer;

/**
 * One constraint of a schema on values. Values of other types pass. What takes longer than reading
 * the value once is charged to a meter.
 */
interface Constraint {
  void check(Value value, FieldPath path, Meter meter, Consumer<Cause> found);
}
