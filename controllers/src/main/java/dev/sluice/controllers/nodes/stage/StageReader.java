package dev.sluice.controllers.nodes.stage;

import dev.sluice.controllers.nodes.stage.StageStep.PatchType;
import dev.sluice.controllers.nodes.template.TemplateFunction;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;

/**
 * The parser of Stage objects, which collects their errors, and the only place that knows the names
 * of their fields.
 */
public final class StageReader {
  /** The kinds with strategic merge patches, whose lists merge by key. */
  private static final List<String> MERGED_BY_KEY =
      List.of(Kinds.NODE.toString(), Kinds.POD.toString());

  private static final List<Duration> NO_TIME = List.of(Duration.ZERO);

  private final ValidationErrors problems = new ValidationErrors();
  private final SortedMap<String, TemplateFunction> functions;

  private StageReader(SortedMap<String, TemplateFunction> functions) {
    this.functions = functions;
  }

  /** A stage with its errors; a stage with errors must not be used. */
  public record Read(Stage stage, ValidationErrors problems) {}

  /**
   * @param functions the functions of its templates in addition to the standard ones
   */
  public static Read read(ApiObject object, SortedMap<String, TemplateFunction> functions) {
    var reader = new StageReader(functions);
    return new Read(reader.stage(object), reader.problems);
  }

  /** The kind of the objects that a stage is for, as {@code apiVersion/kind}. */
  public static String kindOf(ApiObject stage) {
    Tree reference = stage.spec().tree("resourceRef");
    String group = reference.text("apiGroup");
    return (group.isEmpty() ? "v1" : group) + "/" + reference.text("kind");
  }

  private Stage stage(ApiObject object) {
    Tree spec = object.spec();
    checkReference(spec.tree("resourceRef"));
    String kind = kindOf(object);
    PatchType patchType = MERGED_BY_KEY.contains(kind) ? PatchType.STRATEGIC : PatchType.MERGE;
    return new Stage(
        object.name(),
        spec.has("selector") ? Optional.of(selector(spec.tree("selector"))) : Optional.empty(),
        new Weight(
            notNegative(spec, "weight", "spec.weight"),
            from(spec.tree("weightFrom"), "spec.weightFrom")),
        new Delay(amount(spec, "duration", NO_TIME), amount(spec, "jitterDuration", List.of())),
        spec.flag("immediateNextStage"),
        new StepReader(functions, patchType, problems).read(spec));
  }

  private void checkReference(Tree reference) {
    if (reference.text("kind").isEmpty()) {
      problems.required("spec.resourceRef.kind", "name the kind, such as Pod");
    }
    String group = reference.text("apiGroup");
    if (group.chars().filter(character -> character == '/').count() > 1) {
      problems.invalid(
          "spec.resourceRef.apiGroup", group, "must be a group and a version, such as batch/v1");
    }
  }

  private long notNegative(Tree tree, String name, String field) {
    long number = tree.whole(name).orElse(0);
    problems.notNegative(field, number);
    return number;
  }

  private Selector selector(Tree selector) {
    var requirements = new ArrayList<Requirement>();
    List<Tree> expressions = selector.trees("matchExpressions");
    for (int i = 0; i < expressions.size(); i++) {
      requirement(expressions.get(i), "spec.selector.matchExpressions[%d]".formatted(i))
          .ifPresent(requirements::add);
    }
    return new Selector(
        selector.texts("matchLabels"), selector.texts("matchAnnotations"), requirements);
  }

  private Optional<Requirement> requirement(Tree line, String field) {
    if (line.has("cel")) {
      return expression(
              line.text("cel", "expression"), field + ".cel.expression", CelExpression::compile)
          .map(claim -> new Requirement(claim, Requirement.Operator.IN, List.of("true")));
    }
    boolean nested = line.has("jq");
    Tree jq = nested ? line.tree("jq") : line;
    String at = nested ? field + ".jq" : field;
    List<String> values = jq.textItems("values");
    Optional<Requirement.Operator> operator = operator(jq.text("operator"), at);
    operator.ifPresent(found -> checkValues(found, values, at + ".values"));
    Optional<Expression> expression = expression(jq.text("key"), at + ".key", Expression::jq);
    return operator.isEmpty() || expression.isEmpty()
        ? Optional.empty()
        : Optional.of(new Requirement(expression.get(), operator.get(), values));
  }

  private Optional<Requirement.Operator> operator(String word, String field) {
    List<Requirement.Operator> all = List.of(Requirement.Operator.values());
    Optional<Requirement.Operator> found =
        all.stream().filter(each -> each.word().equals(word)).findFirst();
    if (found.isEmpty()) {
      List<String> words = all.stream().map(Requirement.Operator::word).toList();
      problems.add(Cause.notSupported(field + ".operator", word, words));
    }
    return found;
  }

  private void checkValues(Requirement.Operator operator, List<String> values, String field) {
    switch (operator) {
      case IN, NOT_IN -> {
        if (values.isEmpty()) {
          problems.required(field, "must be specified when operator is In or NotIn");
        }
      }
      case EXISTS, DOES_NOT_EXIST -> {
        if (!values.isEmpty()) {
          problems.forbidden(field, "may not be specified when operator is Exists or DoesNotExist");
        }
      }
    }
  }

  private Optional<Expression> expression(
      String program, String field, Function<String, Expression> compiler) {
    if (program.isBlank()) {
      problems.required(field, "");
      return Optional.empty();
    }
    try {
      return Optional.of(compiler.apply(program));
    } catch (IllegalArgumentException malformed) {
      problems.invalid(field, program, String.valueOf(malformed.getMessage()));
      return Optional.empty();
    }
  }

  /** The expression that finds a value in the object, if the stage has one. */
  private List<Expression> from(Tree source, String field) {
    Optional<Expression> found = Optional.empty();
    if (source.has("cel")) {
      String at = field + ".cel.expression";
      found = expression(source.text("cel", "expression"), at, CelExpression::compile);
    } else if (source.has("jq")) {
      found = expression(source.text("jq", "expression"), field + ".jq.expression", Expression::jq);
    } else if (!source.isEmpty()) {
      found = expression(source.text("expressionFrom"), field + ".expressionFrom", Expression::jq);
    }
    return found.stream().toList();
  }

  private Delay.Amount amount(Tree spec, String name, List<Duration> otherwise) {
    Tree delay = spec.tree("delay");
    String millis = name + "Milliseconds";
    String source = name + "From";
    List<Duration> fixed =
        delay.has(millis)
            ? List.of(Duration.ofMillis(notNegative(delay, millis, "spec.delay." + millis)))
            : otherwise;
    return new Delay.Amount(fixed, from(delay.tree(source), "spec.delay." + source));
  }

  /** The stages of documents that are known to be valid, such as the default ones. */
  public static List<Stage> readAll(
      List<ApiObject> objects, SortedMap<String, TemplateFunction> functions) {
    return objects.stream()
        .map(object -> {
          Read read = read(object, functions);
          if (!read.problems().isEmpty()) {
            throw new IllegalArgumentException(
                "stage %s: %s".formatted(object.name(), read.problems().causes()));
          }
          return read.stage();
        })
        .toList();
  }
}
