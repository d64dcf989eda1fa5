package dev.sluice.apiserver.registry.kind;

import dev.sluice.apiserver.cel.Rules;
import dev.sluice.apiserver.cel.SchemaRules;
import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The validation of an object of a custom kind: first by its schema, then, unless an error prevents
 * it, by its CEL rules. Threads: safe.
 */
public final class SchemaCheck {
  /** The validation of built-in kinds, whose rules are code. */
  static final SchemaCheck NONE = new SchemaCheck(Schema.ANY);

  /** Errors after which a rule could read values of a type or size that it was not written for. */
  private static final Set<String> BLOCKING =
      Set.of(
          "FieldValueNotSupported",
          "FieldValueRequired",
          "FieldValueTooLong",
          "FieldValueTooMany",
          "FieldValueTypeInvalid");

  private final Schema schema;
  private volatile @Nullable Rules rules;

  SchemaCheck(Schema schema) {
    this.schema = schema;
  }

  /** The errors of a new object. */
  public List<Cause> problems(Tree object) {
    return problems(schema.validate(object), rules -> rules.problems(object));
  }

  /** The errors of an updated object. */
  public List<Cause> problems(Tree before, Tree after) {
    return problems(schema.validateUpdate(before, after), rules -> rules.problems(before, after));
  }

  private List<Cause> problems(List<Cause> declared, Function<Rules, List<Cause>> check) {
    if (!schema.hasRules()) {
      return declared;
    }
    var problems = new ArrayList<>(declared);
    if (declared.stream().anyMatch(cause -> BLOCKING.contains(cause.reason()))) {
      problems.add(
          new Cause(
              "FieldValueInvalid",
              "<nil>",
              "Invalid value: null: the validation rules were not checked because the object is"
                  + " invalid; correct the other errors first"));
    } else {
      problems.addAll(check.apply(rules()));
    }
    return problems;
  }

  /** Compiled for the first object, so that a server starts without waiting for it. */
  private Rules rules() {
    Rules known = rules;
    if (known == null) {
      known = SchemaRules.of(schema).rules();
      rules = known;
    }
    return known;
  }
}
