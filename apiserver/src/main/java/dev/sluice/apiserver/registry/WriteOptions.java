package dev.sluice.apiserver.registry;

import dev.sluice.apiserver.apply.FieldManager;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The options of a write.
 *
 * @param dryRun whether nothing is stored
 * @param warnings receives the warnings for the client
 * @param manager the field manager
 */
public record WriteOptions(
    boolean dryRun,
    FieldValidation fieldValidation,
    Consumer<String> warnings,
    FieldManager manager) {

  /** The treatment of unknown and duplicate fields. */
  public enum FieldValidation {
    STRICT,
    WARN,
    IGNORE
  }

  /** The consumer for writers without a client to warn. */
  private enum NoWarnings implements Consumer<String> {
    INSTANCE;

    @Override
    public void accept(String warning) {}
  }

  /** The options of controllers in this process: strict, and without warnings. */
  public static final WriteOptions INTERNAL =
      new WriteOptions(false, FieldValidation.STRICT, NoWarnings.INSTANCE, FieldManager.INTERNAL);

  /** Passes warnings on to the client; without a client they are not even computed. */
  void warn(Supplier<List<String>> found) {
    if (!warnings.equals(NoWarnings.INSTANCE)) {
      found.get().forEach(warnings);
    }
  }

  /** The same options for an object that has its managed fields already. */
  WriteOptions accounted() {
    return new WriteOptions(dryRun, fieldValidation, warnings, manager.done());
  }
}
