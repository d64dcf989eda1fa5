package dev.sluice.apiserver.cel;

import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime.Program;
import dev.sluice.apiserver.deadline.Deadline;
import dev.sluice.model.bounds.Meter;
import dev.sluice.model.cel.MeteredRuntime;
import java.util.Map;

/** The cost budget of the rules for one object, and what is spent of it. Threads: one. */
final class Budget {
  /** The limit for one evaluation of one expression. */
  static final long MAX_EVALUATION = 1_000_000;

  /** The limit for all evaluations for one object together. */
  static final long MAX_OBJECT = 10_000_000;

  private long left = MAX_OBJECT;

  /** An evaluation was stopped because it exceeded its budget. */
  static final class ExceededException extends Exception {
    private static final long serialVersionUID = 1L;

    ExceededException(String message) {
      super(message);
    }
  }

  boolean isSpent() {
    return left <= 0;
  }

  Object evaluate(CompiledExpression expression, Map<String, Object> variables)
      throws CelEvaluationException, ExceededException {
    var meter = new Meter(Math.min(left, MAX_EVALUATION), Deadline::check);
    try {
      Program program = expression.program();
      Object result =
          MeteredRuntime.evaluate(
              meter,
              () ->
                  expression.loops()
                      ? program.trace(
                          variables, (step, _) -> MeteredRuntime.chargeStep(meter, step))
                      : program.eval(variables));
      throwIfExceeded(meter);
      return result;
    } catch (CelEvaluationException failed) {
      throwIfExceeded(meter);
      throw failed;
    } catch (StackOverflowError deep) {
      throw new ExceededException("the rule goes too deep for this object");
    } finally {
      left -= meter.spent();
    }
  }

  private static void throwIfExceeded(Meter meter) throws ExceededException {
    Deadline.check();
    if (meter.isExceeded()) {
      throw new ExceededException(
          "the rule costs more than %d steps for this object and was stopped; limit the sizes in the"
                  .formatted(MAX_EVALUATION)
              + " schema with maxItems, maxLength and maxProperties, or write a simpler rule");
    }
  }
}
