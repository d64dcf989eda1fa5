package dev.sluice.apiserver.cel;

import dev.cel.common.CelOptions;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.CelStandardFunctions.StandardFunction;
import dev.cel.runtime.standard.AddOperator.AddOverload;
import dev.sluice.model.cel.MeteredRuntime;
import java.util.ArrayList;
import java.util.List;

/**
 * The CEL environment of rules: CEL's own functions and macros, optionals, and the libraries that
 * Kubernetes adds. Threads: safe.
 */
final class Environment {
  private static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHeterogeneousNumericComparisons(true)
          .enableOptionalSyntax(true)
          .maxExpressionCodePointSize(100_000)
          .maxParseRecursionDepth(64)
          .build();
  private static final Library LIBRARY = library();

  /** The runtime of compiled rules. */
  static final CelRuntime RUNTIME = runtime();

  private Environment() {}

  private static Library library() {
    var library = new Library();
    ListFunctions.addTo(library);
    TextFunctions.addTo(library);
    QuantityFunctions.addTo(library);
    UrlFunctions.addTo(library);
    return library;
  }

  /** A compiler that knows the types of a schema. */
  static CelCompiler compiler(CelTypeProvider types) {
    return CelCompilerFactory.standardCelCompilerBuilder()
        .setOptions(OPTIONS)
        .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
        .setTypeProvider(types)
        .addLibraries(
            CelExtensions.optional(),
            CelExtensions.strings(),
            CelExtensions.lists(),
            CelExtensions.sets(OPTIONS),
            CelExtensions.comprehensions())
        .addFunctionDeclarations(LIBRARY.declarations())
        .build();
  }

  private static CelRuntime runtime() {
    var own = new ArrayList<>(replacements());
    own.addAll(LIBRARY.bindings());
    return MeteredRuntime.of(
        OPTIONS,
        standardFunctions(),
        List.of(
            CelExtensions.optional(),
            CelExtensions.strings(),
            CelExtensions.lists(),
            CelExtensions.sets(OPTIONS),
            CelExtensions.comprehensions()),
        own);
  }

  private static CelStandardFunctions standardFunctions() {
    return CelStandardFunctions.newBuilder()
        .filterFunctions((function, overload) ->
            function != StandardFunction.EQUALS
                && function != StandardFunction.NOT_EQUALS
                && overload != AddOverload.ADD_LIST)
        .build();
  }

  /** Functions that replace the standard ones of the same name. */
  private static List<CelFunctionBinding> replacements() {
    return List.of(
        CelFunctionBinding.from("equals", Object.class, Object.class, Equality::equal),
        CelFunctionBinding.from(
            "not_equals", Object.class, Object.class, (one, other) -> !Equality.equal(one, other)),
        CelFunctionBinding.from("add_list", List.class, List.class, Equality::sum),
        CelFunctionBinding.from("lists_range", Long.class, ListFunctions::range));
  }
}
