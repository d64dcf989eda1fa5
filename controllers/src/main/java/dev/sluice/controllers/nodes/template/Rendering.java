package dev.sluice.controllers.nodes.template;

import dev.sluice.controllers.nodes.template.Part.Command;
import dev.sluice.controllers.nodes.template.Part.Operand;
import dev.sluice.controllers.nodes.template.Part.Pipeline;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** One rendering of a template: its output so far and its variables. */
final class Rendering {
  private static final int MAX_OUTPUT = 1 << 20;
  private static final int MAX_STEPS = 1_000_000;
  private static final int MAX_CALLS = 100;

  /** How a list of parts ended. */
  private enum Ending {
    NORMAL,
    BREAK,
    CONTINUE
  }

  private record Variable(String name, Value value) {}

  private final SortedMap<String, List<Part>> named;
  private final StringBuilder output = new StringBuilder();
  private List<Variable> variables = new ArrayList<>();
  private int steps;
  private int calls;

  Rendering(SortedMap<String, List<Part>> named) {
    this.named = named;
  }

  String render(Value data) {
    include(named.getOrDefault("", List.of()), data);
    return output.toString();
  }

  private void include(List<Part> template, Value dot) {
    if (++calls > MAX_CALLS) {
      throw new TemplateException(
          "templates call each other more than %d deep".formatted(MAX_CALLS));
    }
    List<Variable> outside = variables;
    variables = new ArrayList<>(List.of(new Variable("", dot)));
    parts(template, dot);
    variables = outside;
    calls--;
  }

  private Ending parts(List<Part> parts, Value dot) {
    for (Part part : parts) {
      Ending ending = part(part, dot);
      if (ending != Ending.NORMAL) {
        return ending;
      }
    }
    return Ending.NORMAL;
  }

  private Ending part(Part part, Value dot) {
    step();
    switch (part) {
      case Part.Plain(String text) -> write(text);
      case Part.Output(Pipeline pipeline) -> {
        Value value = evaluate(pipeline, dot);
        if (pipeline.variables().isEmpty()) {
          write(GoText.of(value));
        }
      }
      case Part.Choice choice -> {
        return choose(choice, dot);
      }
      case Part.Loop loop -> {
        return loop(loop, dot);
      }
      case Part.Include(String name, Pipeline with, int line) -> {
        List<Part> template = named.get(name);
        if (template == null) {
          throw TemplateException.at(line, "template \"%s\" is not defined".formatted(name));
        }
        include(template, with.commands().isEmpty() ? Value.Null.NULL : evaluate(with, dot));
      }
      case Part.Break() -> {
        return Ending.BREAK;
      }
      case Part.Continue() -> {
        return Ending.CONTINUE;
      }
    }
    return Ending.NORMAL;
  }

  private void step() {
    if (++steps > MAX_STEPS) {
      throw new TemplateException("it takes more than %d steps".formatted(MAX_STEPS));
    }
  }

  private void write(String text) {
    if (output.length() + text.length() > MAX_OUTPUT) {
      throw new TemplateException("its output exceeds %d characters".formatted(MAX_OUTPUT));
    }
    output.append(text);
  }

  private Ending choose(Part.Choice choice, Value dot) {
    int scope = variables.size();
    Value found = evaluate(choice.condition(), dot);
    Ending ending =
        GoText.isTrue(found)
            ? parts(choice.then(), choice.rebinds() ? found : dot)
            : parts(choice.otherwise(), dot);
    leave(scope);
    return ending;
  }

  private void leave(int scope) {
    variables.subList(scope, variables.size()).clear();
  }

  private record Turn(Value index, Value element) {}

  private Ending loop(Part.Loop loop, Value dot) {
    int scope = variables.size();
    Pipeline over = loop.over();
    List<Turn> turns =
        turns(evaluate(new Pipeline(List.of(), false, over.commands()), dot), over.commands());
    Ending ending = Ending.NORMAL;
    if (turns.isEmpty()) {
      ending = parts(loop.otherwise(), dot);
    }
    for (Turn turn : turns) {
      leave(scope);
      step();
      bind(over, turn);
      ending = parts(loop.body(), turn.element());
      if (ending == Ending.BREAK) {
        break;
      }
    }
    leave(scope);
    return turns.isEmpty() ? ending : Ending.NORMAL;
  }

  private void bind(Pipeline over, Turn turn) {
    List<String> names = over.variables();
    for (int i = 0; i < names.size(); i++) {
      boolean isElement = i == names.size() - 1;
      set(names.get(i), isElement ? turn.element() : turn.index(), over.declares());
    }
  }

  private static List<Turn> turns(Value over, List<Command> commands) {
    var turns = new ArrayList<Turn>();
    switch (over) {
      case Items(List<Value> values) -> {
        for (int i = 0; i < values.size(); i++) {
          turns.add(new Turn(new Value.Whole(i), values.get(i)));
        }
      }
      case Tree tree ->
          tree.forEach((name, value) -> turns.add(new Turn(new Value.Text(name), value)));
      case Value.Whole(long count) -> {
        if (count > MAX_STEPS) {
          throw new TemplateException("it takes more than %d steps".formatted(MAX_STEPS));
        }
        for (long i = 0; i < count; i++) {
          turns.add(new Turn(new Value.Whole(i), new Value.Whole(i)));
        }
      }
      case Value.Null _ -> {}
      case Value other ->
          throw TemplateException.at(
              commands.getFirst().line(), "range can't iterate over " + other);
    }
    return turns;
  }

  private Value evaluate(Pipeline pipeline, Value dot) {
    List<Command> commands = pipeline.commands();
    Value value = command(commands.getFirst(), List.of(), dot);
    for (Command command : commands.subList(1, commands.size())) {
      value = command(command, List.of(value), dot);
    }
    for (String name : pipeline.variables()) {
      set(name, value, pipeline.declares());
    }
    return value;
  }

  private void set(String name, Value value, boolean declares) {
    if (declares) {
      variables.add(new Variable(name, value));
    } else {
      variables.set(find(name), new Variable(name, value));
    }
  }

  private int find(String name) {
    int index = variables.size() - 1;
    while (!variables.get(index).name().equals(name)) {
      index--; // the parser saw to it that there is one
    }
    return index;
  }

  private Value command(Command command, List<Value> piped, Value dot) {
    step();
    List<Operand> words = command.words();
    if (words.getFirst() instanceof Operand.Function called) {
      List<Operand> rest = words.subList(1, words.size());
      return switch (called.name()) {
        case "and" -> decide(rest, piped, dot, false);
        case "or" -> decide(rest, piped, dot, true);
        default -> call(called, arguments(rest, piped, dot), command.line());
      };
    }
    if (words.size() > 1 || !piped.isEmpty()) {
      throw TemplateException.at(
          command.line(), "only a function takes arguments: quote it or use a function");
    }
    if (words.getFirst() instanceof Operand.Constant(Value.Null _)) {
      throw TemplateException.at(command.line(), "nil is not a command");
    }
    return value(words.getFirst(), dot, command.line());
  }

  private List<Value> arguments(List<Operand> words, List<Value> piped, Value dot) {
    var arguments = new ArrayList<Value>(words.size() + piped.size());
    for (Operand word : words) {
      arguments.add(value(word, dot, 0));
    }
    arguments.addAll(piped);
    return arguments;
  }

  private static Value call(Operand.Function called, List<Value> arguments, int line) {
    try {
      return called.function().call(arguments);
    } catch (TemplateException wrong) {
      throw TemplateException.at(
          line, "error calling %s: %s".formatted(called.name(), wrong.why()));
    } catch (ArithmeticException | DateTimeException beyond) {
      // The result is beyond the range of numbers or timestamps.
      throw TemplateException.at(
          line, "error calling %s: %s".formatted(called.name(), beyond.getMessage()));
    }
  }

  /** The first argument that decides, otherwise the last one; those after it are not evaluated. */
  private Value decide(List<Operand> words, List<Value> piped, Value dot, boolean decisive) {
    if (words.isEmpty() && piped.isEmpty()) {
      throw new TemplateException("wrong number of arguments: wants at least 1, got 0");
    }
    Value value = Value.Null.NULL;
    for (Operand word : words) {
      value = value(word, dot, 0);
      if (GoText.isTrue(value) == decisive) {
        return value;
      }
    }
    return piped.isEmpty() ? value : piped.getFirst();
  }

  private Value value(Operand operand, Value dot, int line) {
    return switch (operand) {
      case Operand.Constant(Value constant) -> constant;
      case Operand.Dot() -> dot;
      case Operand.Variable(String name) -> variables.get(find(name)).value();
      case Operand.Nested(Pipeline pipeline) -> evaluate(pipeline, dot);
      case Operand.Function called -> call(called, List.of(), line);
      case Operand.Fields(Operand of, List<String> path) -> fields(value(of, dot, line), path);
    };
  }

  private static Value fields(Value of, List<String> path) {
    Value value = of;
    for (String name : path) {
      value =
          switch (value) {
            case Tree tree -> tree.at(name);
            case Value.Null _ -> Value.Null.NULL;
            case Value other ->
                throw new TemplateException("can't evaluate field %s in %s".formatted(name, other));
          };
    }
    return value;
  }
}
