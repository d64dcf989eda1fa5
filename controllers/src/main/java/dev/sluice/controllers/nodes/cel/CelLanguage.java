package dev.sluice.controllers.nodes.cel;

import dev.cel.checker.CelStandardDeclarations;
import dev.cel.checker.CelStandardDeclarations.StandardFunction;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelStandardFunctions;
import dev.sluice.model.Quantity;
import dev.sluice.model.Timestamps;
import dev.sluice.model.cel.MeteredRuntime;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * The CEL environment of some variables, with the functions that KWOK adds: {@code Now}, {@code
 * Rand}, {@code SinceSecond}, {@code UnixSecond} and {@code Quantity}, and more if the caller
 * declares them. Each may be called as a global function or as a member of its first argument, as
 * in {@code pod.SinceSecond()}. It is expensive to create; keep it.
 *
 * <p>Threads: safe.
 */
public final class CelLanguage {
  private static final CelOptions OPTIONS =
      CelOptions.current()
          .comprehensionMaxIterations(10_000)
          .maxExpressionCodePointSize(4096)
          .enableHeterogeneousNumericComparisons(true)
          .build();

  /** The limit of the steps of one evaluation: about a second. */
  public static final long MAX_STEPS = 1_000_000;

  private static final CelStandardDeclarations ALL_BUT_INDEX =
      CelStandardDeclarations.newBuilder().excludeFunctions(StandardFunction.INDEX).build();

  /**
   * The index operator with a dynamic result. The library's own declaration leaves the result type
   * open, and then takes the first overload that fits for the only one: {@code int(self["a"])}
   * would accept nothing but whole numbers.
   */
  private static final CelFunctionDecl INDEX =
      CelFunctionDecl.newFunctionDeclaration(
          StandardFunction.INDEX.functionDecl().name(),
          CelOverloadDecl.newGlobalOverload(
              "index_list",
              SimpleType.DYN,
              List.of(ListType.create(SimpleType.DYN), SimpleType.INT)),
          CelOverloadDecl.newGlobalOverload(
              "index_map",
              SimpleType.DYN,
              List.of(MapType.create(SimpleType.DYN, SimpleType.DYN), SimpleType.DYN)));

  private final CelCompiler compiler;
  private final CelRuntime runtime;

  public CelLanguage(List<String> variables, List<CelFunctionDecl> own) {
    var builder =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .setStandardEnvironmentEnabled(false)
            .setStandardDeclarations(ALL_BUT_INDEX)
            .addFunctionDeclarations(
                INDEX,
                function("Now", SimpleType.TIMESTAMP),
                function("now", SimpleType.TIMESTAMP),
                function("Rand", SimpleType.DOUBLE),
                method("SinceSecond", SimpleType.DOUBLE, SimpleType.DYN),
                method("UnixSecond", SimpleType.DOUBLE, SimpleType.TIMESTAMP),
                function("Quantity", SimpleType.DOUBLE, SimpleType.DYN))
            .addFunctionDeclarations(own);
    variables.forEach(name -> builder.addVar(name, SimpleType.DYN));
    this.compiler = builder.build();
    this.runtime =
        MeteredRuntime.of(
            OPTIONS,
            CelStandardFunctions.newBuilder().build(),
            List.of(),
            List.of(
                CelFunctionBinding.from("UnixSecond", Instant.class, CelLanguage::seconds),
                CelFunctionBinding.from(behind("UnixSecond"), Instant.class, CelLanguage::seconds),
                CelFunctionBinding.from("Quantity", Object.class, CelLanguage::quantity)));
  }

  /** Declares a function; its overload has its name. */
  private static CelFunctionDecl function(String name, CelType result, CelType... arguments) {
    return CelFunctionDecl.newFunctionDeclaration(
        name, CelOverloadDecl.newGlobalOverload(name, result, List.of(arguments)));
  }

  /** Declares a function that may also be called as a member of its first argument. */
  public static CelFunctionDecl method(String name, CelType result, CelType... arguments) {
    return CelFunctionDecl.newFunctionDeclaration(
        name, overloads(name, result, arguments).toList());
  }

  /** The overloads of such a function: global, and as a member. */
  public static Stream<CelOverloadDecl> overloads(
      String overload, CelType result, CelType... arguments) {
    return Stream.of(
        CelOverloadDecl.newGlobalOverload(overload, result, List.of(arguments)),
        CelOverloadDecl.newMemberOverload(behind(overload), result, List.of(arguments)));
  }

  /** The name of the member overload. */
  public static String behind(String overload) {
    return "behind_" + overload;
  }

  /**
   * Compiles an expression.
   *
   * @throws IllegalArgumentException if that fails, saying why
   */
  public CelProgram compile(String text) {
    try {
      CelAbstractSyntaxTree tree = compiler.compile(text).getAst();
      MeteredRuntime.checkPatterns(tree);
      return new CelProgram(runtime.createProgram(tree));
    } catch (CelValidationException | CelEvaluationException malformed) {
      String why = String.valueOf(malformed.getMessage()).lines().findFirst().orElse("");
      throw new IllegalArgumentException("it is no CEL expression: " + why);
    }
  }

  /** The bindings that depend on the time of evaluation; they last for one evaluation. */
  @SuppressWarnings("Immutable")
  static List<CelFunctionBinding> momentary(Instant now, RandomGenerator random) {
    return List.of(
        CelFunctionBinding.from("Now", List.of(), _ -> now),
        CelFunctionBinding.from("now", List.of(), _ -> now),
        CelFunctionBinding.from("Rand", List.of(), _ -> random.nextDouble()),
        CelFunctionBinding.from("SinceSecond", Map.class, object -> since(object, now)),
        CelFunctionBinding.from(behind("SinceSecond"), Map.class, object -> since(object, now)));
  }

  private static double since(Map<?, ?> object, Instant now) {
    if (!(object.get("metadata") instanceof Map<?, ?> metadata)) {
      return 0;
    }
    return switch (metadata.get("creationTimestamp")) {
      case Instant created -> seconds(now) - seconds(created);
      case String created ->
          Timestamps.parse(created).map(at -> seconds(now) - seconds(at)).orElse(0.0);
      case null, default -> 0;
    };
  }

  private static double seconds(Instant moment) {
    return BigDecimal.valueOf(moment.getEpochSecond())
        .add(BigDecimal.valueOf(moment.getNano(), 9))
        .doubleValue();
  }

  /** A quantity may be a string or a plain number. */
  private static double quantity(Object value) {
    return Quantity.parse(value.toString())
        .map(found -> found.value().doubleValue())
        .orElseThrow(() -> new IllegalArgumentException(value + " is no quantity"));
  }
}
