package dev.sluice.controllers.nodes.template;

import dev.sluice.controllers.nodes.template.Part.Command;
import dev.sluice.controllers.nodes.template.Part.Operand;
import dev.sluice.controllers.nodes.template.Part.Pipeline;
import dev.sluice.controllers.nodes.template.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** The parser of pipelines, which checks their variables and functions. */
final class PipelineParser {
  private static final int MAX_NESTED = 100;

  private final SortedMap<String, TemplateFunction> functions;
  private final List<String> variables = new ArrayList<>(List.of(""));
  private int depth;

  PipelineParser(SortedMap<String, TemplateFunction> functions) {
    this.functions = functions;
  }

  /** How many variables are in scope, for {@link #leave}. */
  int scope() {
    return variables.size();
  }

  void leave(int scope) {
    variables.subList(Math.min(scope, variables.size()), variables.size()).clear();
  }

  /** A named template does not see the variables around it. */
  List<String> hideVariables() {
    List<String> hidden = List.copyOf(variables);
    leave(1);
    return hidden;
  }

  void showVariables(List<String> hidden) {
    variables.clear();
    variables.addAll(hidden);
  }

  /** A pipeline up to the end of its action. */
  Pipeline whole(TokenReader tokens) {
    return whole(tokens, 1);
  }

  /** The same for {@code range}, which may set an index and an element. */
  Pipeline range(TokenReader tokens) {
    return whole(tokens, 2);
  }

  private Pipeline whole(TokenReader tokens, int mostVariables) {
    Pipeline pipeline = pipeline(tokens, mostVariables);
    Token rest = tokens.take();
    if (!rest.is(Kind.END)) {
      throw TemplateException.at(rest.line(), "unexpected \"%s\"".formatted(rest.text()));
    }
    return pipeline;
  }

  private Pipeline pipeline(TokenReader tokens, int mostVariables) {
    if (++depth > MAX_NESTED) {
      throw TemplateException.at(tokens.peek().line(), "too many parentheses in each other");
    }
    var names = new ArrayList<String>();
    boolean declares = settings(tokens, names, mostVariables);
    var commands = new ArrayList<Command>();
    commands.add(command(tokens));
    while (tokens.peek().is(Kind.PIPE)) {
      tokens.take();
      // Go accepts a pipe with nothing after it.
      if (!isEnd(tokens.peek()) || tokens.peek().is(Kind.PIPE)) {
        commands.add(command(tokens));
      }
    }
    if (declares) {
      variables.addAll(names);
    }
    depth--;
    return new Pipeline(names, declares, commands);
  }

  /** Parses {@code $x :=}, {@code $x =} or {@code $i, $x :=}; returns whether it declares. */
  private boolean settings(TokenReader tokens, List<String> names, int limit) {
    boolean two = limit == 2 && tokens.peek(1).is(Kind.COMMA);
    Token sign = tokens.peek(two ? 3 : 1);
    if (!tokens.peek().is(Kind.VARIABLE) || !(sign.is(Kind.DECLARE) || sign.is(Kind.ASSIGN))) {
      return false;
    }
    names.add(tokens.take().text());
    if (two) {
      tokens.take();
      names.add(tokens.take().text());
    }
    tokens.take();
    if (sign.is(Kind.ASSIGN)) {
      names.forEach(name -> requireVariable(name, sign.line()));
    }
    return sign.is(Kind.DECLARE);
  }

  private void requireVariable(String name, int line) {
    if (!variables.contains(name)) {
      throw TemplateException.at(line, "undefined variable \"$%s\"".formatted(name));
    }
  }

  private Command command(TokenReader tokens) {
    int line = tokens.peek().line();
    var words = new ArrayList<Operand>();
    while (!isEnd(tokens.peek())) {
      words.add(operand(tokens));
      Token next = tokens.peek();
      if (!isEnd(next) && !next.afterSpace()) {
        throw TemplateException.at(next.line(), "unexpected \"%s\"".formatted(next.text()));
      }
    }
    if (words.isEmpty()) {
      throw TemplateException.at(line, "a value is missing before " + tokens.peek().text());
    }
    return new Command(words, line);
  }

  private static boolean isEnd(Token token) {
    return token.is(Kind.END) || token.is(Kind.PIPE) || token.is(Kind.CLOSE);
  }

  private Operand operand(TokenReader tokens) {
    Token first = tokens.take();
    Operand base =
        switch (first.kind()) {
          case CONSTANT -> new Operand.Constant(first.value());
          case DOT -> new Operand.Dot();
          case FIELD -> new Operand.Fields(new Operand.Dot(), List.of(first.text()));
          case VARIABLE -> variable(first);
          case WORD -> function(first);
          case OPEN -> nested(tokens);
          case CLOSE, PIPE, DECLARE, ASSIGN, COMMA, END ->
              throw TemplateException.at(first.line(), "unexpected \"%s\"".formatted(first.text()));
        };
    var path = new ArrayList<String>();
    while (tokens.peek().is(Kind.FIELD) && !tokens.peek().afterSpace()) {
      path.add(tokens.take().text());
    }
    if (!path.isEmpty() && (base instanceof Operand.Constant || base instanceof Operand.Dot)) {
      throw TemplateException.at(first.line(), "\"%s\" has no fields".formatted(first.text()));
    }
    return path.isEmpty() ? base : fields(base, path);
  }

  private static Operand fields(Operand base, List<String> path) {
    if (base instanceof Operand.Fields(Operand of, List<String> before)) {
      var longer = new ArrayList<>(before);
      longer.addAll(path);
      return new Operand.Fields(of, longer);
    }
    return new Operand.Fields(base, path);
  }

  private Operand variable(Token token) {
    requireVariable(token.text(), token.line());
    return new Operand.Variable(token.text());
  }

  private Operand function(Token token) {
    TemplateFunction function = functions.get(token.text());
    if (function == null) {
      throw TemplateException.at(
          token.line(), "function \"%s\" is not defined".formatted(token.text()));
    }
    return new Operand.Function(token.text(), function);
  }

  private Operand nested(TokenReader tokens) {
    Pipeline pipeline = pipeline(tokens, 1);
    Token close = tokens.take();
    if (!close.is(Kind.CLOSE)) {
      throw TemplateException.at(close.line(), "a parenthesis is not closed");
    }
    return new Operand.Nested(pipeline);
  }
}
