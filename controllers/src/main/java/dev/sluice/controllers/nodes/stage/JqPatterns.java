package dev.sluice.controllers.nodes.stage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sluice.model.bounds.LinearPattern;
import dev.sluice.model.bounds.Meter;
import dev.sluice.model.tree.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.thisptr.jackson.jq.Expression;
import net.thisptr.jackson.jq.Function;
import net.thisptr.jackson.jq.PathOutput;
import net.thisptr.jackson.jq.Scope;
import net.thisptr.jackson.jq.Version;
import net.thisptr.jackson.jq.exception.JsonQueryException;
import net.thisptr.jackson.jq.path.Path;

/**
 * jq's function {@code test}, which matches a string against a pattern. The library's own may take
 * for ever for a pattern such as {@code (a+)+b}; this one takes time linear in the string.
 */
final class JqPatterns implements Function {
  private static final Pattern LITERAL =
      Pattern.compile("\\btest\\s*\\(\\s*(" + JqLimits.TEXT + ")");
  private static final List<JsonNode> NO_FLAGS = List.of(TextNode.valueOf(""));

  /** The meter of the program that runs. */
  static final ScopedValue<Meter> METER = ScopedValue.newInstance();

  /** Replaces all functions of the library that use patterns. */
  static void into(Scope functions) {
    functions.addFunction("test", 1, new JqPatterns());
    functions.addFunction("test", 2, new JqPatterns());
    functions.addFunction(
        "_match_impl",
        3,
        (_, _, _, _, _, _) -> {
          throw new JsonQueryException("of all functions with patterns, stages have test");
        });
  }

  /** Checks the patterns that a program has as literals. */
  static void check(String program) {
    Matcher literal = LITERAL.matcher(program);
    while (literal.find()) {
      LinearPattern.compile(Json.parse(literal.group(1)).asText());
    }
  }

  @Override
  public void apply(
      Scope scope,
      List<Expression> arguments,
      JsonNode in,
      Path path,
      PathOutput output,
      Version version)
      throws JsonQueryException {
    if (!in.isTextual()) {
      throw new JsonQueryException("only texts match patterns");
    }
    for (JsonNode pattern : values(scope, arguments.getFirst(), in)) {
      for (JsonNode flags : arguments.size() > 1 ? values(scope, arguments.get(1), in) : NO_FLAGS) {
        boolean matches = pattern(pattern.asText(), flags.asText()).find(in.asText(), METER.get());
        output.emit(BooleanNode.valueOf(matches), null);
      }
    }
  }

  private static List<JsonNode> values(Scope scope, Expression expression, JsonNode in)
      throws JsonQueryException {
    var values = new ArrayList<JsonNode>();
    expression.apply(scope, in, values::add);
    return values;
  }

  private static LinearPattern pattern(String text, String flags) throws JsonQueryException {
    try {
      return LinearPattern.compile(
          text, flags.contains("i"), flags.contains("s") || flags.contains("p"));
    } catch (IllegalArgumentException refused) {
      throw new JsonQueryException("%s: %s".formatted(text, refused.getMessage()));
    }
  }
}
