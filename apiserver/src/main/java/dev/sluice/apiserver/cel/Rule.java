package dev.sluice.apiserver.cel;

import dev.cel.runtime.CelEvaluationException;
import dev.sluice.apiserver.schema.FieldPath;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One compiled rule.
 *
 * @param condition what must hold
 * @param glance tells of most values at once that it does
 * @param message what to tell where no message is computed
 * @param computedMessage an expression for a better message
 * @param reason which kind of wrong it is, in Kubernetes' words
 * @param field the names of the fields on the way from the rule's place to the one it is about
 * @param transition whether it compares with the value before
 * @param optionalOld whether it also runs where there is no value before
 */
record Rule(
    CompiledExpression condition,
    Optional<RulePrecheck> glance,
    String message,
    Optional<CompiledExpression> computedMessage,
    String reason,
    List<String> field,
    boolean transition,
    boolean optionalOld) {

  Rule {
    field = List.copyOf(field);
  }

  /** Whether there is something to check, given the value before. */
  boolean applies(@Nullable Value before, boolean unchanged) {
    return transition ? before != null || optionalOld : !unchanged;
  }

  /** Whether it holds as anybody can see; if not, it has to be checked. */
  boolean plainlyHolds(Value self, @Nullable Value before) {
    return glance.isPresent() && glance.get().holds(self, before);
  }

  /** What is wrong with a value, if anything is. */
  Optional<Cause> check(
      Object self, @Nullable Object before, FieldPath path, String typeWord, Budget budget) {
    Map<String, Object> variables = variables(self, before);
    try {
      return budget.evaluate(condition, variables).equals(true)
          ? Optional.empty()
          : Optional.of(cause(path, typeWord, explanation(variables, budget)));
    } catch (CelEvaluationException failed) {
      return Optional.of(
          cause(path, typeWord, failed.getMessage() + " evaluating rule: " + message));
    } catch (Budget.ExceededException exceeded) {
      return Optional.of(cause(path, typeWord, exceeded.getMessage() + ": " + message));
    }
  }

  private Map<String, Object> variables(Object self, @Nullable Object before) {
    if (optionalOld) {
      return Map.of("self", self, "oldSelf", Optional.ofNullable(before));
    }
    return before == null ? Map.of("self", self) : Map.of("self", self, "oldSelf", before);
  }

  private String explanation(Map<String, Object> variables, Budget budget) {
    if (computedMessage.isEmpty()) {
      return message;
    }
    try {
      String computed = budget.evaluate(computedMessage.get(), variables).toString().strip();
      return computed.isEmpty() || computed.contains("\n") ? message : computed;
    } catch (CelEvaluationException | Budget.ExceededException failed) {
      return message;
    }
  }

  private Cause cause(FieldPath path, String typeWord, String why) {
    FieldPath at = path;
    for (String name : field) {
      at = at.child(name);
    }
    String where = at.toString();
    return switch (reason) {
      case "FieldValueForbidden" -> Cause.forbidden(where, why);
      case "FieldValueRequired" -> Cause.required(where, why);
      case "FieldValueDuplicate" ->
          new Cause(reason, where, "Duplicate value: \"" + typeWord + "\": " + why);
      default -> Cause.invalid(where, typeWord, why);
    };
  }
}
