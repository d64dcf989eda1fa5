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
 * @param condition the expression that must be true
 * @param precheck a quick check that most values pass
 * @param message the message where none is computed
 * @param computedMessage the expression of {@code messageExpression}
 * @param reason the reason of the cause, in Kubernetes' words
 * @param field the path from the rule's place in the schema to the field it is about
 * @param oldSelf how it uses the old value
 */
record Rule(
    CompiledExpression condition,
    Optional<RulePrecheck> precheck,
    String message,
    Optional<CompiledExpression> computedMessage,
    String reason,
    List<String> field,
    OldSelf oldSelf) {

  /** How a rule uses the old value. */
  enum OldSelf {
    UNUSED,
    /** It compares with the old value, and runs only where there is one. */
    REQUIRED,
    /** It compares with the old value, and also runs where there is none. */
    OPTIONAL
  }

  Rule {
    field = List.copyOf(field);
  }

  /** Whether the rule runs, given the old value. */
  boolean applies(@Nullable Value before, boolean unchanged) {
    return switch (oldSelf) {
      case UNUSED -> !unchanged;
      case REQUIRED -> before != null;
      case OPTIONAL -> true;
    };
  }

  /** Whether the precheck shows that it holds; if not, it has to be evaluated. */
  boolean plainlyHolds(Value self, @Nullable Value before) {
    return precheck.isPresent() && precheck.get().holds(self, before);
  }

  /** The cause for a value that breaks the rule, if it does. */
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
    if (oldSelf == OldSelf.OPTIONAL) {
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
