package dev.sluice.controllers.nodes.template;

import dev.sluice.model.tree.Value;
import java.util.List;

/** A template after it was read: what to write, and on what that depends. */
sealed interface Part {

  /** Writes a text. */
  record Plain(String text) implements Part {}

  /** Writes what a pipeline yields, or sets the variables it declares. */
  record Output(Pipeline pipeline) implements Part {}

  /**
   * {@code if} and {@code with}.
   *
   * @param rebinds whether the dot becomes what was found
   */
  record Choice(Pipeline condition, boolean rebinds, List<Part> then, List<Part> otherwise)
      implements Part {
    public Choice {
      then = List.copyOf(then);
      otherwise = List.copyOf(otherwise);
    }
  }

  /** {@code range}. */
  record Loop(Pipeline over, List<Part> body, List<Part> otherwise) implements Part {
    public Loop {
      body = List.copyOf(body);
      otherwise = List.copyOf(otherwise);
    }
  }

  /** {@code template} and {@code block}: another template, with a dot of its own. */
  record Include(String name, Pipeline with, int line) implements Part {}

  /** Ends the loop. */
  record Break() implements Part {}

  /** Ends this turn of the loop. */
  record Continue() implements Part {}

  /**
   * Commands of which each is handed what the one before it yields.
   *
   * @param variables what it sets, without dollar signs
   * @param declares whether they are new
   */
  record Pipeline(List<String> variables, boolean declares, List<Command> commands) {
    static final Pipeline EMPTY = new Pipeline(List.of(), false, List.of());

    public Pipeline {
      variables = List.copyOf(variables);
      commands = List.copyOf(commands);
    }
  }

  /** A function with its arguments, or one value. */
  record Command(List<Operand> words, int line) {
    public Command {
      words = List.copyOf(words);
    }
  }

  /** Something that has a value. */
  sealed interface Operand {

    record Constant(Value value) implements Operand {}

    /** The dot. */
    record Dot() implements Operand {}

    /** A variable; the one without a name is what the template was given. */
    record Variable(String name) implements Operand {}

    record Function(String name, TemplateFunction function) implements Operand {}

    record Nested(Pipeline pipeline) implements Operand {}

    /** A field of a field of something. */
    record Fields(Operand of, List<String> path) implements Operand {
      public Fields {
        path = List.copyOf(path);
      }
    }
  }
}
