package dev.sluice.apiserver.registry;

import java.util.function.Consumer;

/**
 * How a write is to be done.
 *
 * @param dryRun do everything but the write
 * @param warnings takes what the writer should be told although the write succeeds
 */
public record WriteOptions(
    boolean dryRun, FieldValidation fieldValidation, Consumer<String> warnings) {

  /** What happens to fields that the schema does not know, and to names that stand twice. */
  public enum FieldValidation {
    STRICT,
    WARN,
    IGNORE
  }

  /** For writers inside this program: strict, and nobody to warn. */
  public static final WriteOptions INTERNAL =
      new WriteOptions(false, FieldValidation.STRICT, ignored -> {});
}
