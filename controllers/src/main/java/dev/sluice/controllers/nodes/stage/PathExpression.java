package dev.sluice.controllers.nodes.stage;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An expression in the part of jq that nearly all stages use: fields, elements, and {@code select}
 * with one comparison. It walks the tree without conversion, which costs next to nothing;
 * everything else is a {@link JqExpression}.
 */
record PathExpression(List<Step> steps) implements Expression {
  private static final Pattern FIELD =
      Pattern.compile("\\.([A-Za-z_]\\w*)|\\.?\\[\\s*\"([^\"\\\\]*)\"\\s*\\]|\\.\"([^\"\\\\]*)\"");
  private static final Pattern INDEX = Pattern.compile("\\.?\\[\\s*(\\d{1,6})?\\s*\\]");
  private static final Pattern SELECT =
      Pattern.compile(
          "\\s*\\|\\s*select\\(\\s*((?:\\.\\w+)+)\\s*(==|!=)\\s*\"([^\"\\\\]*)\"\\s*\\)");
  private static final Pattern PIPE = Pattern.compile("\\s*\\|\\s*(?=[.])");

  /** One step of the path. */
  sealed interface Step {
    record Field(String name) implements Step {}

    record Element(int index) implements Step {}

    record Each() implements Step {}

    record Select(List<String> path, boolean equal, String text) implements Step {}
  }

  PathExpression {
    steps = List.copyOf(steps);
  }

  /** The expression, if the program is in that part of jq. */
  static Optional<PathExpression> parse(String program) {
    String text = program.strip();
    var steps = new ArrayList<Step>();
    int at = 0;
    while (at < text.length()) {
      int next = step(text, at, steps);
      if (next < 0) {
        return Optional.empty();
      }
      at = next;
    }
    boolean startsAtRoot = text.startsWith(".");
    return startsAtRoot && !steps.isEmpty()
        ? Optional.of(new PathExpression(steps))
        : Optional.empty();
  }

  /** Parses a step and returns where the next one begins, or -1 if it is not one. */
  private static int step(String text, int at, List<Step> steps) {
    Matcher field = FIELD.matcher(text).region(at, text.length());
    if (field.lookingAt()) {
      for (int group = 1; group <= 3; group++) {
        String name = field.group(group);
        if (name != null) {
          steps.add(new Step.Field(name));
        }
      }
      return field.end();
    }
    Matcher index = INDEX.matcher(text).region(at, text.length());
    if (index.lookingAt()) {
      String number = index.group(1);
      steps.add(number == null ? new Step.Each() : new Step.Element(Integer.parseInt(number)));
      return index.end();
    }
    Matcher select = SELECT.matcher(text).region(at, text.length());
    if (select.lookingAt()) {
      List<String> path = List.of(select.group(1).substring(1).split("\\.", -1));
      steps.add(new Step.Select(path, select.group(2).equals("=="), select.group(3)));
      return select.end();
    }
    Matcher pipe = PIPE.matcher(text).region(at, text.length());
    return pipe.lookingAt() && at > 0 ? pipe.end() : -1;
  }

  @Override
  public List<Value> evaluate(Tree object, Moment moment) {
    var found = new ArrayList<Value>();
    return walk(object, 0, found) ? found : List.of();
  }

  /** Returns whether jq would have succeeded. */
  private boolean walk(Value value, int step, List<Value> found) {
    if (step == steps.size()) {
      if (value != Value.Null.NULL) {
        found.add(value);
      }
      return true;
    }
    return switch (steps.get(step)) {
      case Step.Field(String name) ->
          value == Value.Null.NULL
              || (value instanceof Tree tree && walk(tree.at(name), step + 1, found));
      case Step.Element(int index) ->
          value == Value.Null.NULL
              || (value instanceof Items(List<Value> items)
                  && (index >= items.size() || walk(items.get(index), step + 1, found)));
      case Step.Each() -> each(value, step, found);
      case Step.Select select -> select(select, value, step, found);
    };
  }

  private boolean each(Value value, int step, List<Value> found) {
    List<Value> elements =
        switch (value) {
          case Items(List<Value> items) -> items;
          case Tree tree -> tree.names().stream().map(name -> tree.at(name)).toList();
          case Value _ -> List.of();
        };
    for (Value element : elements) {
      if (!walk(element, step + 1, found)) {
        return false;
      }
    }
    return value instanceof Value.Container;
  }

  private boolean select(Step.Select select, Value value, int step, List<Value> found) {
    Value compared = value;
    for (String name : select.path()) {
      if (!(compared instanceof Tree tree)) {
        return compared == Value.Null.NULL;
      }
      compared = tree.at(name);
    }
    boolean same = compared instanceof Value.Text(String text) && text.equals(select.text());
    return same != select.equal() || walk(value, step + 1, found);
  }
}
