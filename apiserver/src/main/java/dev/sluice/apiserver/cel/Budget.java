package dev.sluice.apiserver.cel;

import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime.Program;
import java.util.Map;

/** The cost budget of the rules for one object, and what is spent of it. Threads: one. */
final class Budget {
  private long left = CostMeter.MAX_OBJECT;

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
    var meter = new CostMeter(Math.min(left, CostMeter.MAX_EVALUATION));
    try {
      Program program = expression.program();
      Object result =
          expression.loops() ? program.trace(variables, meter::charge) : program.eval(variables);
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

  private static void throwIfExceeded(CostMeter meter) throws ExceededException {
    if (meter.isExceeded()) {
      throw new ExceededException(
          "the rule costs more than %d steps for this object and was stopped; limit the sizes in the"
                  .formatted(CostMeter.MAX_EVALUATION)
              + " schema with maxItems, maxLength and maxProperties, or write a simpler rule");
    }
  }
}
