package dev.sluice.apiserver.cel;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelSelect;
import dev.sluice.apiserver.schema.Schema;
import dev.sluice.apiserver.schema.Type;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Value.Flag;
import dev.sluice.model.tree.Value.Text;
import dev.sluice.model.tree.Value.Whole;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A check of a rule without the interpreter, which took a tenth of a busy server's time: most rules
 * clearly hold, because a field is absent or unchanged.
 *
 * <p>It follows declared fields, compares strings, integers and sizes, and knows CEL's logic, in
 * which one operand can decide whatever the other one is. Everything it cannot decide is left to
 * the interpreter.
 *
 * <p>Threads: immutable, shared freely.
 */
final class RulePrecheck {
  /** One part of a rule. */
  @FunctionalInterface
  private interface Part {
    /** Its value, or null where it cannot be decided. */
    @Nullable Value look(Value self, @Nullable Value before);
  }

  private static final List<String> VARIABLES = List.of("self", "oldSelf");
  private static final Part UNCLEAR = (self, before) -> null;

  private final Schema schema;
  private final Part rule;

  /** The precheck of a rule about values of a schema. */
  RulePrecheck(CelExpr rule, Schema schema) {
    this.schema = schema;
    this.rule = part(rule);
  }

  /** Whether the rule certainly holds; if not, it may still hold. */
  boolean holds(Value self, @Nullable Value before) {
    return rule.look(self, before) == Flag.TRUE;
  }

  private Part part(CelExpr expression) {
    return switch (expression.exprKind().getKind()) {
      case IDENT -> variable(expression.ident().name());
      case CONSTANT -> constant(expression.constant());
      case SELECT -> field(expression.select());
      case CALL -> call(expression.call());
      default -> UNCLEAR;
    };
  }

  private static Part variable(String name) {
    return switch (name) {
      case "self" -> (self, before) -> self;
      case "oldSelf" -> (self, before) -> before;
      default -> UNCLEAR;
    };
  }

  private static Part constant(CelConstant constant) {
    Value value =
        switch (constant.getKind()) {
          case STRING_VALUE -> Value.of(constant.stringValue());
          case INT64_VALUE -> new Whole(constant.int64Value());
          case BOOLEAN_VALUE -> Flag.of(constant.booleanValue());
          default -> null;
        };
    return (self, before) -> value;
  }

  private Part field(CelSelect select) {
    String name = select.field();
    if (declared(select).isEmpty()) {
      return UNCLEAR;
    }
    Part object = part(select.operand());
    return (self, before) -> {
      if (!(object.look(self, before) instanceof Tree tree)) {
        return null;
      }
      Value value = tree.at(name);
      if (value == Value.Null.NULL && tree.has(name)) {
        return null;
      }
      return select.testOnly() ? Flag.of(value != Value.Null.NULL) : present(value);
    };
  }

  private static @Nullable Value present(Value value) {
    return value == Value.Null.NULL ? null : value;
  }

  /** The schema of the selected field, if it is declared under this name. */
  private Optional<Schema> declared(CelSelect select) {
    String name = select.field();
    return schemaOf(select.operand())
        .filter(object -> object.additionalProperties().isEmpty())
        .filter(object -> !(object.isResource() && name.equals("metadata")))
        .filter(object -> Names.unescape(name).equals(name))
        .flatMap(object -> Optional.ofNullable(object.properties().get(name)));
  }

  private Optional<Schema> schemaOf(CelExpr expression) {
    return switch (expression.exprKind().getKind()) {
      case IDENT -> Optional.of(schema).filter(_ -> VARIABLES.contains(expression.ident().name()));
      case SELECT -> declared(expression.select());
      default -> Optional.empty();
    };
  }

  private Part call(CelCall call) {
    List<CelExpr> arguments = call.args();
    return switch (call.function()) {
      case "!_" -> not(part(arguments.get(0)));
      case "_||_" -> decidedBy(Flag.TRUE, part(arguments.get(0)), part(arguments.get(1)));
      case "_&&_" -> decidedBy(Flag.FALSE, part(arguments.get(0)), part(arguments.get(1)));
      case "_?_:_" ->
          choice(part(arguments.get(0)), part(arguments.get(1)), part(arguments.get(2)));
      case "_==_" -> equal(arguments.get(0), arguments.get(1));
      case "_!=_" -> not(equal(arguments.get(0), arguments.get(1)));
      case "_<_" -> order(arguments, sign -> sign < 0);
      case "_<=_" -> order(arguments, sign -> sign <= 0);
      case "_>_" -> order(arguments, sign -> sign > 0);
      case "_>=_" -> order(arguments, sign -> sign >= 0);
      case "size" -> call.target().isPresent() ? UNCLEAR : size(part(arguments.get(0)));
      default -> UNCLEAR;
    };
  }

  private static Part not(Part part) {
    return (self, before) ->
        part.look(self, before) instanceof Flag flag ? Flag.of(flag == Flag.FALSE) : null;
  }

  /** Logic where one operand with the deciding value decides, even if the other is an error. */
  private static Part decidedBy(Flag deciding, Part one, Part other) {
    return (self, before) -> {
      Value left = one.look(self, before);
      if (left == deciding) {
        return left;
      }
      Value right = other.look(self, before);
      return right == deciding || left != null ? right : null;
    };
  }

  private static Part choice(Part condition, Part yes, Part no) {
    return (self, before) -> {
      Value chosen = condition.look(self, before);
      return chosen == null ? null : (chosen == Flag.TRUE ? yes : no).look(self, before);
    };
  }

  /**
   * Values with the same text are equal. Values with different texts may be equal too, such as two
   * durations, unless one is a string literal of the rule or a boolean.
   */
  private Part equal(CelExpr one, CelExpr other) {
    Part left = part(one);
    Part right = part(other);
    boolean exact = isText(one) || isText(other);
    return (self, before) -> {
      Value found = left.look(self, before);
      Value wanted = right.look(self, before);
      if (found == null || wanted == null) {
        return null;
      }
      if (found.equals(wanted)) {
        return Flag.TRUE;
      }
      return exact || (found instanceof Flag && wanted instanceof Flag) ? Flag.FALSE : null;
    };
  }

  private static boolean isText(CelExpr expression) {
    return expression.exprKind().getKind() == CelExpr.ExprKind.Kind.CONSTANT
        && expression.constant().getKind() == CelConstant.Kind.STRING_VALUE;
  }

  private Part order(List<CelExpr> sides, IntPredicate wanted) {
    if (!sides.stream().allMatch(this::isWhole)) {
      return UNCLEAR;
    }
    Part one = part(sides.get(0));
    Part other = part(sides.get(1));
    return (self, before) ->
        one.look(self, before) instanceof Whole(long left)
                && other.look(self, before) instanceof Whole(long right)
            ? Flag.of(wanted.test(Long.compare(left, right)))
            : null;
  }

  /** Whether it is certainly an integer. */
  private boolean isWhole(CelExpr expression) {
    return switch (expression.exprKind().getKind()) {
      case CONSTANT -> expression.constant().getKind() == CelConstant.Kind.INT64_VALUE;
      case CALL -> expression.call().function().equals("size");
      default -> schemaOf(expression).filter(found -> found.type() == Type.INTEGER).isPresent();
    };
  }

  private static Part size(Part part) {
    return (self, before) ->
        switch (part.look(self, before)) {
          case Items(List<Value> items) -> new Whole(items.size());
          case Tree tree -> new Whole(tree.size());
          case Text _, Whole _, Value.Decimal _, Flag _, Value.Null _ -> null;
          case null -> null;
        };
  }
}
