package dev.sluice.controllers.nodes.template;

import dev.sluice.model.tree.Value;
import java.util.List;

/** A node of a parsed template. */
sealed interface Part {

  /** Plain text. */
  record Plain(String text) implements Part {}

  /** Writes the value of a pipeline, or sets the variables it declares. */
  record Output(Pipeline pipeline) implements Part {}

  /**
   * {@code if} and {@code with}.
   *
   * @param rebinds whether the dot becomes the value of the condition
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

  /** Continues with the next iteration. */
  record Continue() implements Part {}

  /**
   * Commands, each with the value of the one before it as the last argument.
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

  /** An expression with a value. */
  sealed interface Operand {

    record Constant(Value value) implements Operand {}

    /** The dot. */
    record Dot() implements Operand {}

    /** A variable; the one without a name is the data of the template. */
    record Variable(String name) implements Operand {}

    record Function(String name, TemplateFunction function) implements Operand {}

    record Nested(Pipeline pipeline) implements Operand {}

    /** A chain of fields of an operand. */
    record Fields(Operand of, List<String> path) implements Operand {
      public Fields {
        path = List.copyOf(path);
      }
    }
  }
}
