package dev.sluice.model;

import dev.sluice.model.tree.Tree;
import java.util.List;

/**
 * The rules of label selectors as they stand in objects and in configuration files. The rules are
 * the same everywhere; a {@link Wording} says in which order and words they are reported.
 */
public final class SelectorValidation {
  public static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");

  private SelectorValidation() {}

  /** Whether a match expression has the values that its operator needs. */
  public enum Values {
    VALID,
    /** The operator compares, but there is nothing to compare with. */
    MISSING,
    /** The operator does not compare, but there are values. */
    NOT_ALLOWED;

    public static Values of(String operator, boolean given) {
      boolean compares = operator.equals("In") || operator.equals("NotIn");
      if (compares == given) {
        return VALID;
      }
      return compares ? MISSING : NOT_ALLOWED;
    }
  }

  /**
   * One match expression, checked.
   *
   * @param keyProblem what is wrong with the key, empty if nothing
   */
  public record Expression(
      String key, String keyProblem, String operator, boolean operatorKnown, Values values) {

    private static Expression of(Tree expression) {
      String key = expression.text("key");
      String operator = expression.text("operator");
      return new Expression(
          key,
          NameSyntax.qualifiedNameProblem(key),
          operator,
          OPERATORS.contains(operator),
          Values.of(operator, !expression.items("values").isEmpty()));
    }
  }

  /** Adds what is wrong with a match expression to the errors. */
  public interface Wording {
    void report(String field, Expression expression, ValidationErrors errors);
  }

  /** Checks a selector and reports in the words of the Kubernetes API server. */
  public static void check(String field, Tree selector, ValidationErrors errors) {
    check(field, selector, errors, SelectorValidation::report);
  }

  public static void check(String field, Tree selector, ValidationErrors errors, Wording wording) {
    errors.labels(field + ".matchLabels", selector.texts("matchLabels"));
    List<Tree> expressions = selector.trees("matchExpressions");
    for (int i = 0; i < expressions.size(); i++) {
      String at = "%s.matchExpressions[%d]".formatted(field, i);
      wording.report(at, Expression.of(expressions.get(i)), errors);
    }
  }

  private static void report(String field, Expression expression, ValidationErrors errors) {
    if (!expression.operatorKnown()) {
      errors.invalid(field + ".operator", expression.operator(), "not a valid selector operator");
    }
    switch (expression.values()) {
      case VALID -> {}
      case MISSING ->
          errors.required(
              field + ".values", "must be specified when `operator` is 'In' or 'NotIn'");
      case NOT_ALLOWED ->
          errors.forbidden(
              field + ".values",
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
    errors.invalidIf(expression.keyProblem(), field + ".key", expression.key());
  }
}
