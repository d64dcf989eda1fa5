package dev.sluice.model.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import dev.cel.runtime.CelInternalRuntimeLibrary;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelRuntimeLibrary;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.RuntimeEquality;
import dev.cel.runtime.RuntimeHelpers;
import dev.sluice.model.bounds.LinearPattern;
import dev.sluice.model.bounds.Meter;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A CEL runtime in which every function charges its cost to the meter of the evaluation before it
 * runs, so that no result exists that is larger than the budget, and patterns are RE2's.
 *
 * <p>It is the interpreter that reads maps and lists in place. The library's newer one copies every
 * value that it passes on, at each step, which would make an expression over a large object far
 * slower than its cost says.
 *
 * <p>Threads: safe.
 */
public final class MeteredRuntime {
  private static final ScopedValue<Meter> METER = ScopedValue.newInstance();
  private static final List<String> WITH_PATTERNS = List.of("matches", "find", "findAll");
  private static final long UNMETERED = 10_000_000;

  private MeteredRuntime() {}

  /** An evaluation of a program. */
  @FunctionalInterface
  public interface Evaluation {
    Object run() throws CelEvaluationException;
  }

  /**
   * A runtime; of two bindings of one overload the later counts.
   *
   * @param own the functions that the environment adds or replaces
   */
  public static CelRuntime of(
      CelOptions options,
      CelStandardFunctions standard,
      List<CelRuntimeLibrary> libraries,
      List<CelFunctionBinding> own) {
    Map<String, CelFunctionBinding> bindings = new LinkedHashMap<>();
    var equality = RuntimeEquality.create(RuntimeHelpers.create(), options);
    put(bindings, standard.newFunctionBindings(equality, options));
    libraries.forEach(library -> put(bindings, bindings(library, equality, options)));
    put(bindings, patterns());
    put(bindings, own);
    return CelRuntimeFactory.legacyCelRuntimeBuilder()
        .setOptions(options)
        .setStandardEnvironmentEnabled(false)
        .addFunctionBindings(bindings.values().stream().map(MeteredRuntime::metered).toList())
        .build();
  }

  private static void put(
      Map<String, CelFunctionBinding> bindings, Iterable<CelFunctionBinding> more) {
    more.forEach(binding -> bindings.put(binding.getOverloadId(), binding));
  }

  /** The functions of a library, which gives them to nothing but a builder. */
  private static List<CelFunctionBinding> bindings(
      CelRuntimeLibrary library, RuntimeEquality equality, CelOptions options) {
    var found = new ArrayList<CelFunctionBinding>();
    var builder =
        (CelRuntimeBuilder)
            Proxy.newProxyInstance(
                CelRuntimeBuilder.class.getClassLoader(),
                new Class<?>[] {CelRuntimeBuilder.class},
                (self, method, arguments) -> {
                  if (!method.getName().equals("addFunctionBindings")) {
                    throw new IllegalStateException("the library wants " + method.getName());
                  }
                  switch (arguments[0]) {
                    case CelFunctionBinding[] some -> found.addAll(List.of(some));
                    case Iterable<?> some ->
                        some.forEach(one -> found.add((CelFunctionBinding) one));
                    default -> throw new IllegalStateException("no bindings: " + arguments[0]);
                  }
                  return self;
                });
    if (library instanceof CelInternalRuntimeLibrary internal) {
      internal.setRuntimeOptions(builder, equality, options);
    } else {
      library.setRuntimeOptions(builder);
    }
    return found;
  }

  private static List<CelFunctionBinding> patterns() {
    return List.of(
        CelFunctionBinding.from("matches", String.class, String.class, MeteredRuntime::matches),
        CelFunctionBinding.from(
            "matches_string", String.class, String.class, MeteredRuntime::matches));
  }

  private static boolean matches(String text, String pattern) {
    Meter meter = meter();
    return LinearPattern.compile(pattern, meter).find(text, meter);
  }

  /**
   * Checks the patterns that an expression has as literals.
   *
   * @throws IllegalArgumentException if one is no pattern, or too large
   */
  public static void checkPatterns(CelAbstractSyntaxTree tree) {
    CelNavigableAst.fromAst(tree)
        .getRoot()
        .allNodes()
        .map(node -> node.expr().exprKind())
        .filter(kind -> kind.getKind() == ExprKind.Kind.CALL)
        .map(ExprKind::call)
        .filter(call -> WITH_PATTERNS.contains(call.function()) && !call.args().isEmpty())
        .map(call -> call.args().get(call.target().isPresent() ? 0 : call.args().size() - 1))
        .map(CelExpr::exprKind)
        .filter(kind -> kind.getKind() == ExprKind.Kind.CONSTANT)
        .map(ExprKind::constant)
        .filter(constant -> constant.getKind() == CelConstant.Kind.STRING_VALUE)
        .forEach(constant -> LinearPattern.compile(constant.stringValue()));
  }

  /**
   * A function that charges before it runs. Those that get their operands unevaluated cost nothing
   * of their own, and those without types only choose among the others.
   */
  @SuppressWarnings("Immutable")
  private static CelFunctionBinding metered(CelFunctionBinding binding) {
    if (!binding.isStrict() || binding.getArgTypes().isEmpty()) {
      return binding;
    }
    String overload = binding.getOverloadId();
    CelFunctionOverload function = binding.getDefinition();
    return CelFunctionBinding.from(
        overload,
        binding.getArgTypes(),
        arguments -> {
          Meter meter = meter();
          meter.charge(CallCost.of(overload, arguments, Math.max(0, meter.left())));
          return function.apply(arguments);
        });
  }

  /** The meter of the evaluation that runs; constants are folded at compile time without one. */
  public static Meter meter() {
    return METER.isBound() ? METER.get() : new Meter(UNMETERED);
  }

  /** Runs an evaluation; its functions charge to a meter. */
  public static Object evaluate(Meter meter, Evaluation evaluation) throws CelEvaluationException {
    return ScopedValue.where(METER, meter).call(evaluation::run);
  }

  /** Charges for a step that an interpreter has taken: calls charge the rest on their own. */
  public static void chargeStep(Meter meter, CelExpr step) {
    ExprKind kind = step.exprKind();
    switch (kind.getKind()) {
      case CONSTANT, IDENT -> {}
      case LIST -> meter.charge(1 + kind.list().elements().size());
      case MAP -> meter.charge(1 + kind.map().entries().size());
      default -> meter.charge(1);
    }
  }
}
