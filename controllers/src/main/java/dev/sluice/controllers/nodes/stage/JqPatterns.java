package dev.sluice.controllers.nodes.stage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
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
  private static final List<JsonNode> NO_FLAGS = List.of(TextNode.valueOf(""));

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
        boolean matches = pattern(pattern.asText(), flags.asText()).matcher(in.asText()).find();
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

  private static Pattern pattern(String text, String flags) throws JsonQueryException {
    int how = flags.contains("i") ? Pattern.CASE_INSENSITIVE : 0;
    how |= flags.contains("s") || flags.contains("p") ? Pattern.DOTALL : 0;
    try {
      return Pattern.compile(text, how);
    } catch (PatternSyntaxException malformed) {
      throw new JsonQueryException("%s is no pattern: %s".formatted(text, malformed.getMessage()));
    }
  }
}
