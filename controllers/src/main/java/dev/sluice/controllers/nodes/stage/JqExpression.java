package dev.sluice.controllers.nodes.stage;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.thisptr.jackson.jq.BuiltinFunctionLoader;
import net.thisptr.jackson.jq.JsonQuery;
import net.thisptr.jackson.jq.Scope;
import net.thisptr.jackson.jq.Versions;
import net.thisptr.jackson.jq.exception.JsonQueryException;

/** An expression that is any jq program within {@link JqLimits}. */
final class JqExpression implements Expression {
  /** A string, which is kept, or {@code .[}, which jq 1.7 treats as {@code [}. */
  private static final Pattern DOTTED_INDEX =
      Pattern.compile(JqLimits.TEXT + "|(?<=[\\w\\]\"?])\\.\\[");

  private static final int MAX_RESULTS = 1000;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Scope FUNCTIONS = functions();

  private final JsonQuery query;

  private JqExpression(JsonQuery query) {
    this.query = query;
  }

  private static Scope functions() {
    Scope scope = Scope.newEmptyScope();
    BuiltinFunctionLoader.getInstance().loadFunctions(Versions.JQ_1_6, scope);
    JqPatterns.into(scope);
    return scope;
  }

  static JqExpression compile(String program) {
    JqLimits.check(program);
    String dotless =
        DOTTED_INDEX
            .matcher(program)
            .replaceAll(found ->
                Matcher.quoteReplacement(found.group().equals(".[") ? "[" : found.group()));
    try {
      var expression = new JqExpression(JsonQuery.compile(dotless, Versions.JQ_1_6));
      expression.tryOut();
      return expression;
    } catch (JsonQueryException malformed) {
      throw new IllegalArgumentException("it is no jq program: " + firstLine(malformed));
    } catch (StackOverflowError deep) {
      throw new IllegalArgumentException("it is no jq program: too much stands in brackets", deep);
    }
  }

  /** A missing function is detected only when it is called. */
  private void tryOut() throws JsonQueryException {
    try {
      query.apply(Scope.newChildScope(FUNCTIONS), JSON.createObjectNode(), _ -> {});
    } catch (JsonQueryException failed) {
      if (firstLine(failed).contains("does not exist")) {
        throw failed;
      }
    }
  }

  private static String firstLine(Exception malformed) {
    return String.valueOf(malformed.getMessage()).lines().findFirst().orElse("");
  }

  @Override
  public List<Value> evaluate(Tree object, Moment moment) {
    var found = new ArrayList<JsonNode>();
    try {
      query.apply(
          Scope.newChildScope(FUNCTIONS),
          JSON.readTree(Json.write(object)),
          node -> {
            if (!node.isNull() && found.size() < MAX_RESULTS) {
              found.add(node);
            }
          });
      var values = new ArrayList<Value>(found.size());
      for (JsonNode node : found) {
        values.add(Json.parse(JSON.writeValueAsString(node)));
      }
      return values;
    } catch (JsonProcessingException | RuntimeException | StackOverflowError failed) {
      return List.of();
    }
  }
}
