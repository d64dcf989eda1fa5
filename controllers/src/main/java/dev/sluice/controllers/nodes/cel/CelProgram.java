package dev.sluice.controllers.nodes.cel;

import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelLateFunctionBindings;
import dev.cel.runtime.CelRuntime;
import dev.sluice.model.bounds.Meter;
import dev.sluice.model.cel.MeteredRuntime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * A compiled expression.
 *
 * <p>Threads: safe.
 */
public final class CelProgram {
  private final CelRuntime.Program program;

  CelProgram(CelRuntime.Program program) {
    this.program = program;
  }

  /**
   * Its value, in the types of the CEL library.
   *
   * @param variables as {@link CelValues} converts them from objects
   * @param own the bindings of the functions that its language adds to KWOK's
   * @param meter counts the steps of its functions; how often it iterates is limited too
   * @throws CelFailedException if the evaluation fails, or takes too many steps
   */
  public Object evaluate(
      Map<String, Object> variables,
      Instant now,
      RandomGenerator random,
      List<CelFunctionBinding> own,
      Meter meter) {
    var functions = new ArrayList<>(CelLanguage.momentary(now, random));
    functions.addAll(own);
    try {
      return MeteredRuntime.evaluate(
          meter, () -> program.eval(variables, CelLateFunctionBindings.from(functions)));
    } catch (CelEvaluationException | RuntimeException failed) {
      throw new CelFailedException(why(failed));
    }
  }

  /** The message of one of our functions is clearer than what the library makes of it. */
  private static String why(Exception failed) {
    return failed.getCause() instanceof CelFailedException own
        ? own.why()
        : String.valueOf(failed.getMessage());
  }
}
