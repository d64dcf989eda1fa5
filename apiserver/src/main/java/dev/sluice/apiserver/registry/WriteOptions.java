package dev.sluice.apiserver.registry;

import dev.sluice.apiserver.apply.FieldManager;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

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

  /** Who does not listen. */
  private enum Deaf implements Consumer<String> {
    EAR;

    @Override
    public void accept(String warning) {}
  }

  /** For writers inside this program: strict, and nobody to warn. */
  public static final WriteOptions INTERNAL =
      new WriteOptions(false, FieldValidation.STRICT, Deaf.EAR, FieldManager.INTERNAL);

  /** Tells the writer what is found; where nobody listens, it is not looked for. */
  void warn(Supplier<List<String>> found) {
    if (!warnings.equals(Deaf.EAR)) {
      found.get().forEach(warnings);
    }
  }

  /** The same for an object that says already who owns its fields. */
  WriteOptions accounted() {
    return new WriteOptions(dryRun, fieldValidation, warnings, manager.done());
  }
}
