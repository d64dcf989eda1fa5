package dev.sluice.apiserver.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.sluice.apiserver.schema.FieldPath;
import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.cel.MeteredRuntime;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The compiler of the rules at one node of a schema. Threads: one. */
final class RuleCompiler {
  private static final List<String> REASONS =
      List.of(
          "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");

  private final CelCompiler compiler;
  private final CelType self;
  private final Schema schema;
  private final boolean correlatable;
  private final List<Cause> problems;

  /**
   * @param compiler knows the types of the whole schema
   * @param self the type of the values at the node
   * @param schema the node
   * @param correlatable whether values at the node can be matched with their old values
   * @param problems receives the errors
   */
  RuleCompiler(
      CelCompiler compiler,
      CelType self,
      Schema schema,
      boolean correlatable,
      List<Cause> problems) {
    this.compiler = compiler;
    this.self = self;
    this.schema = schema;
    this.correlatable = correlatable;
    this.problems = problems;
  }

  /** The compiled rule, unless it has an error. */
  Optional<Rule> compile(Tree rule, FieldPath path) {
    String text = rule.text("rule").strip();
    if (text.isEmpty()) {
      problems.add(Cause.required(path.child("rule").toString(), "a rule says what must hold"));
      return Optional.empty();
    }
    checkWords(rule, path);
    boolean optionalOld = rule.flag("optionalOldSelf");
    CelCompiler here =
        compiler
            .toCompilerBuilder()
            .addVar("self", self)
            .addVar("oldSelf", optionalOld ? OptionalType.create(self) : self)
            .build();
    Optional<CelAbstractSyntaxTree> tree = checked(here, text, SimpleType.BOOL, path.child("rule"));
    String computed = rule.text("messageExpression").strip();
    Optional<CompiledExpression> message =
        computed.isEmpty()
            ? Optional.empty()
            : checked(here, computed, SimpleType.STRING, path.child("messageExpression"))
                .map(CompiledExpression::of);
    return tree.map(known -> rule(rule, text, known, message, path));
  }

  private Rule rule(
      Tree rule,
      String text,
      CelAbstractSyntaxTree tree,
      Optional<CompiledExpression> computedMessage,
      FieldPath path) {
    boolean transition =
        tree.getReferenceMap().values().stream()
            .anyMatch(reference -> reference.name().equals("oldSelf"));
    boolean optionalOld = rule.flag("optionalOldSelf");
    if (transition && !correlatable) {
      problems.add(
          Cause.invalid(
              path.child("rule").toString(),
              text,
              "oldSelf cannot be used inside a list without keys or an atomic object: its"
                  + " elements have no identity, so there is no value before"));
    }
    if (optionalOld && !transition) {
      problems.add(
          Cause.invalid(
              path.child("optionalOldSelf").toString(),
              true,
              "may not be set if oldSelf is not used in the rule"));
    }
    String said = rule.text("message").strip();
    return new Rule(
        CompiledExpression.of(tree),
        optionalOld ? Optional.empty() : Optional.of(new RulePrecheck(tree.getExpr(), schema)),
        said.isEmpty() ? "failed rule: " + text : said,
        computedMessage,
        rule.text("reason"),
        field(rule, path.child("fieldPath")),
        oldSelf(transition, optionalOld));
  }

  /** An optional old value that the rule does not use is a problem, reported before. */
  private static Rule.OldSelf oldSelf(boolean transition, boolean optional) {
    if (optional) {
      return Rule.OldSelf.OPTIONAL;
    }
    return transition ? Rule.OldSelf.REQUIRED : Rule.OldSelf.UNUSED;
  }

  private void checkWords(Tree rule, FieldPath path) {
    String reason = rule.text("reason");
    if (!reason.isEmpty() && !REASONS.contains(reason)) {
      problems.add(Cause.notSupported(path.child("reason").toString(), reason, REASONS));
    }
    if (rule.has("message") && rule.text("message").isBlank()) {
      problems.add(
          Cause.invalid(
              path.child("message").toString(), rule.text("message"), "must say something"));
    }
    if (rule.text("message").strip().contains("\n")) {
      problems.add(
          Cause.invalid(
              path.child("message").toString(), rule.text("message"), "must be one line"));
    }
  }

  private List<String> field(Tree rule, FieldPath path) {
    String text = rule.text("fieldPath");
    Optional<List<String>> steps = RulePath.parse(text, schema.toOpenApi());
    if (steps.isEmpty()) {
      problems.add(
          Cause.invalid(
              path.toString(),
              text,
              "must name a declared field from here on, such as .spec.size or ['a.b']"));
    }
    return steps.orElse(List.of());
  }

  private Optional<CelAbstractSyntaxTree> checked(
      CelCompiler here, String text, CelType want, FieldPath path) {
    try {
      CelAbstractSyntaxTree tree = here.compile(text).getAst();
      MeteredRuntime.checkPatterns(tree);
      if (tree.getResultType().equals(want) || tree.getResultType().equals(SimpleType.DYN)) {
        return Optional.of(tree);
      }
      problems.add(
          Cause.invalid(
              path.toString(),
              text,
              "must evaluate to %s, not %s".formatted(want.name(), tree.getResultType().name())));
    } catch (CelValidationException malformed) {
      String why =
          malformed.getErrors().stream()
              .map(CelIssue::getMessage)
              .collect(Collectors.joining("; "));
      problems.add(Cause.invalid(path.toString(), text, "compilation failed: " + why));
    } catch (IllegalArgumentException pattern) {
      problems.add(
          Cause.invalid(
              path.toString(), text, "compilation failed: a pattern " + pattern.getMessage()));
    }
    return Optional.empty();
  }
}
