package dev.sluice.controllers.nodes.stage;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.model.bounds.ExceededException;
import dev.sluice.model.bounds.Meter;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.thisptr.jackson.jq.BuiltinFunctionLoader;
import net.thisptr.jackson.jq.JsonQuery;
import net.thisptr.jackson.jq.Output;
import net.thisptr.jackson.jq.Scope;
import net.thisptr.jackson.jq.Versions;
import net.thisptr.jackson.jq.exception.JsonQueryException;

/** An expression that is any jq program within {@link JqLimits}. */
final class JqExpression implements Expression {
  /** A string, which is kept, or {@code .[}, which jq 1.7 treats as {@code [}. */
  private static final Pattern DOTTED_INDEX =
      Pattern.compile(JqLimits.TEXT + "|(?<=[\\w\\]\"?])\\.\\[");

  private static final int MAX_RESULTS = 1000;
  private static final long TRIAL_STEPS = 100_000;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Scope FUNCTIONS = functions();

  private final JsonQuery query;
  private final JqCost cost;

  private JqExpression(JsonQuery query, JqCost cost) {
    this.query = query;
    this.cost = cost;
  }

  private static Scope functions() {
    Scope scope = Scope.newEmptyScope();
    BuiltinFunctionLoader.getInstance().loadFunctions(Versions.JQ_1_6, scope);
    JqPatterns.into(scope);
    return scope;
  }

  static JqExpression compile(String program) {
    JqCost cost = JqLimits.check(program);
    JqPatterns.check(program);
    String dotless =
        DOTTED_INDEX
            .matcher(program)
            .replaceAll(found ->
                Matcher.quoteReplacement(found.group().equals(".[") ? "[" : found.group()));
    try {
      var expression = new JqExpression(JsonQuery.compile(dotless, Versions.JQ_1_6), cost);
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
      run(JSON.createObjectNode(), new Meter(TRIAL_STEPS), _ -> {});
    } catch (JsonQueryException failed) {
      if (firstLine(failed).contains("does not exist")) {
        throw failed;
      }
    } catch (ExceededException expensive) {
      throw new IllegalArgumentException("it does too much even for an empty object", expensive);
    }
  }

  private void run(JsonNode input, Meter meter, Output output) throws JsonQueryException {
    ScopedValue.where(JqPatterns.METER, meter)
        .call(() -> {
          query.apply(Scope.newChildScope(FUNCTIONS), input, output);
          return input;
        });
  }

  private static String firstLine(Exception malformed) {
    return String.valueOf(malformed.getMessage()).lines().findFirst().orElse("");
  }

  @Override
  public List<Value> evaluate(Tree object, Moment moment) {
    moment.meter().charge(cost.of(object));
    var found = new ArrayList<JsonNode>();
    try {
      run(
          JSON.readTree(Json.write(object)),
          moment.meter(),
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
      moment.meter().charge(0);
      return List.of();
    }
  }
}
