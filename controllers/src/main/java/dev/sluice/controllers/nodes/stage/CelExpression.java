package dev.sluice.controllers.nodes.stage;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionResolver;
import dev.cel.runtime.CelLateFunctionBindings;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.sluice.model.GoDuration;
import dev.sluice.model.Quantity;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An expression in CEL over {@code self}, with the functions that KWOK adds. */
final class CelExpression implements Expression {
  private static final CelOptions OPTIONS =
      CelOptions.current()
          .comprehensionMaxIterations(10_000)
          .enableHeterogeneousNumericComparisons(true)
          .build();

  private final CelRuntime.Program program;

  private CelExpression(CelRuntime.Program program) {
    this.program = program;
  }

  /** Made when the first expression is: most stages have none, and it takes its time. */
  private static final class Environment {
    static final CelCompiler COMPILER =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addVar("self", SimpleType.DYN)
            .addFunctionDeclarations(
                function("Now", SimpleType.TIMESTAMP),
                function("Rand", SimpleType.DOUBLE),
                function("SinceSecond", SimpleType.DOUBLE, SimpleType.DYN),
                function("UnixSecond", SimpleType.DOUBLE, SimpleType.TIMESTAMP),
                function("Quantity", SimpleType.DOUBLE, SimpleType.STRING))
            .build();

    static final CelRuntime RUNTIME =
        CelRuntimeFactory.legacyCelRuntimeBuilder()
            .setOptions(OPTIONS)
            .addFunctionBindings(
                CelFunctionBinding.from("UnixSecond", Instant.class, CelExpression::seconds),
                CelFunctionBinding.from("Quantity", String.class, CelExpression::quantity))
            .build();

    private static CelFunctionDecl function(String name, CelType result, CelType... arguments) {
      return CelFunctionDecl.newFunctionDeclaration(
          name, CelOverloadDecl.newGlobalOverload(name, result, List.of(arguments)));
    }
  }

  static CelExpression compile(String text) {
    try {
      var checked = Environment.COMPILER.compile(text).getAst();
      return new CelExpression(Environment.RUNTIME.createProgram(checked));
    } catch (CelValidationException | CelEvaluationException malformed) {
      String why = String.valueOf(malformed.getMessage()).lines().findFirst().orElse("");
      throw new IllegalArgumentException("it is no CEL expression: " + why);
    }
  }

  @Override
  public List<Value> evaluate(Tree object, Moment moment) {
    try {
      Object result = program.eval(Map.of("self", plain(object)), functions(moment));
      return value(result);
    } catch (CelEvaluationException | IllegalArgumentException failed) {
      return List.of();
    }
  }

  /** What depends on when it is asked; it lives for one evaluation. */
  @SuppressWarnings("Immutable")
  private static CelFunctionResolver functions(Moment moment) {
    return CelLateFunctionBindings.from(
        CelFunctionBinding.from("Now", List.of(), _ -> moment.now()),
        CelFunctionBinding.from("Rand", List.of(), _ -> moment.random().nextDouble()),
        CelFunctionBinding.from("SinceSecond", Map.class, self -> since(self, moment.now())));
  }

  private static double since(Map<?, ?> self, Instant now) {
    return self.get("metadata") instanceof Map<?, ?> metadata
            && metadata.get("creationTimestamp") instanceof String created
        ? Timestamps.parse(created).map(at -> seconds(now) - seconds(at)).orElse(0.0)
        : 0.0;
  }

  private static double seconds(Instant moment) {
    return BigDecimal.valueOf(moment.getEpochSecond())
        .add(BigDecimal.valueOf(moment.getNano(), 9))
        .doubleValue();
  }

  private static double quantity(String text) {
    return Quantity.parse(text)
        .map(found -> found.value().doubleValue())
        .orElseThrow(() -> new IllegalArgumentException(text + " is no quantity"));
  }

  /** The same with Java's own types, without nulls. */
  private static Object plain(Value value) {
    return switch (value) {
      case Value.Text(String text) -> text;
      case Value.Whole(long number) -> number;
      case Value.Decimal(BigDecimal number) -> number.doubleValue();
      case Value.Flag flag -> flag == Value.Flag.TRUE;
      case Value.Null _ -> "";
      case Items(List<Value> items) ->
          items.stream().filter(item -> item != Value.Null.NULL).map(CelExpression::plain).toList();
      case Tree tree -> {
        var map = new LinkedHashMap<String, Object>();
        tree.forEach((name, child) -> {
          if (child != Value.Null.NULL) {
            map.put(name, plain(child));
          }
        });
        yield map;
      }
    };
  }

  private static List<Value> value(Object result) {
    return switch (result) {
      case Duration duration -> List.of(new Value.Text(GoDuration.format(duration.toNanos())));
      case Instant moment -> List.of(new Value.Text(moment.toString()));
      case Double number when Double.isFinite(number) ->
          List.of(new Value.Decimal(BigDecimal.valueOf(number)));
      case String text -> List.of(new Value.Text(text));
      case Long number -> List.of(new Value.Whole(number));
      case Boolean flag -> List.of(Value.Flag.of(flag));
      default -> List.of();
    };
  }
}
