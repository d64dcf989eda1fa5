package dev.sluice.apiserver.registry;

import dev.sluice.apiserver.apply.FieldManager;
import java.util.function.Consumer;

/**
 * How a write is to be done.
 *
 * @param dryRun do everything but the write
 * @param warnings takes what the writer should be told although the write succeeds
 * @param manager who owns the fields that are written
 */
public record WriteOptions(
    boolean dryRun,
    FieldValidation fieldValidation,
    Consumer<String> warnings,
    FieldManager manager) {

  /** What happens to fields that the schema does not know, and to names that stand twice. */
  public enum FieldValidation {
    STRICT,
    WARN,
    IGNORE
  }

  /** For writers inside this program: strict, and nobody to warn. */
  public static final WriteOptions INTERNAL =
      new WriteOptions(false, FieldValidation.STRICT, ignored -> {}, FieldManager.INTERNAL);

  /** The same for an object that says already who owns its fields. */
  WriteOptions accounted() {
    return new WriteOptions(dryRun, fieldValidation, warnings, manager.done());
  }
}
