package dev.sluice.controllers.nodes.template;

import dev.sluice.controllers.nodes.template.Part.Pipeline;
import dev.sluice.controllers.nodes.template.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The parser of templates, which rejects at once what would fail in the rendering. */
final class Parser {
  private static final int MAX_NESTED = 100;
  private static final List<String> ENDS = List.of("end", "else");

  private final List<Piece> pieces;
  private final PipelineParser pipelines;
  private final SortedMap<String, List<Part>> named = new TreeMap<>();
  private int next;
  private int loops;
  private int depth;

  Parser(List<Piece> pieces, SortedMap<String, TemplateFunction> functions) {
    this.pieces = pieces;
    this.pipelines = new PipelineParser(functions);
  }

  /** The templates that the string defines by name, the string itself under the empty name. */
  SortedMap<String, List<Part>> parse() {
    List<Part> main = parts();
    if (next < pieces.size()) {
      Token stray = keyword(pieces.get(next));
      throw TemplateException.at(stray.line(), "unexpected {{%s}}".formatted(stray.text()));
    }
    named.put("", main);
    return named;
  }

  /** The parts up to an {@code end} or {@code else}, which stays unread, or to the very end. */
  private List<Part> parts() {
    var parts = new ArrayList<Part>();
    while (next < pieces.size()) {
      switch (pieces.get(next)) {
        case Piece.Plain(String text) -> parts.add(new Part.Plain(text));
        case Piece.Action action -> {
          if (ENDS.contains(keyword(action).text()) && keyword(action).is(Kind.WORD)) {
            return parts;
          }
          next++;
          part(new TokenReader(action.tokens()), parts);
          continue;
        }
      }
      next++;
    }
    return parts;
  }

  private static Token keyword(Piece piece) {
    return ((Piece.Action) piece).tokens().getFirst();
  }

  private void part(TokenReader tokens, List<Part> parts) {
    Token first = tokens.peek();
    String word = first.is(Kind.WORD) ? first.text() : "";
    switch (word) {
      case "if", "with" -> {
        tokens.take();
        parts.add(choice(tokens, word));
      }
      case "range" -> {
        tokens.take();
        parts.add(loop(tokens));
      }
      case "define", "block" -> {
        tokens.take();
        define(tokens, first.line(), word.equals("block"), parts);
      }
      case "template" -> {
        tokens.take();
        parts.add(new Part.Include(name(tokens), optional(tokens), first.line()));
      }
      case "break", "continue" -> {
        if (loops == 0) {
          throw TemplateException.at(first.line(), "{{%s}} outside {{range}}".formatted(word));
        }
        parts.add(word.equals("break") ? new Part.Break() : new Part.Continue());
      }
      default -> parts.add(new Part.Output(pipelines.whole(tokens)));
    }
  }

  private Part choice(TokenReader tokens, String word) {
    int scope = enter(tokens.peek().line());
    Pipeline condition = pipelines.whole(tokens);
    List<Part> then = parts();
    List<Part> otherwise = otherwise(word);
    leave(scope);
    return new Part.Choice(condition, word.equals("with"), then, otherwise);
  }

  /** The part after {@code else}, which may be another condition that shares the {@code end}. */
  private List<Part> otherwise(String word) {
    TokenReader tokens = ending();
    if (tokens.take().text().equals("end")) {
      return List.of();
    }
    if (tokens.peek().is(Kind.WORD)) {
      Token again = tokens.take();
      if (!again.text().equals(word)) {
        throw TemplateException.at(again.line(), "unexpected else " + again.text());
      }
      return List.of(choice(tokens, word));
    }
    List<Part> parts = parts();
    requireEnd();
    return parts;
  }

  private Part loop(TokenReader tokens) {
    int scope = enter(tokens.peek().line());
    Pipeline over = pipelines.range(tokens);
    loops++;
    List<Part> body = parts();
    loops--;
    TokenReader ending = ending();
    List<Part> otherwise = List.of();
    if (ending.take().text().equals("else")) {
      otherwise = parts();
      requireEnd();
    }
    leave(scope);
    return new Part.Loop(over, body, otherwise);
  }

  private void define(TokenReader tokens, int line, boolean used, List<Part> parts) {
    if (!used && depth > 0) {
      throw TemplateException.at(line, "unexpected {{define}}: it stands inside another block");
    }
    String name = name(tokens);
    Pipeline with = used ? pipelines.whole(tokens) : Pipeline.EMPTY;
    int outerLoops = loops;
    loops = 0;
    int scope = enter(line);
    List<String> outside = pipelines.hideVariables();
    addNamed(name, parts(), line);
    pipelines.showVariables(outside);
    leave(scope);
    loops = outerLoops;
    requireEnd();
    if (used) {
      parts.add(new Part.Include(name, with, line));
    }
  }

  /** A template without text may be replaced by another one of its name, and no other may. */
  private void addNamed(String name, List<Part> parts, int line) {
    boolean blank = isBlank(parts);
    List<Part> known = named.getOrDefault(name, List.of());
    if (!blank && !isBlank(known)) {
      throw TemplateException.at(line, "multiple definition of template \"%s\"".formatted(name));
    }
    if (!named.containsKey(name) || !blank) {
      named.put(name, parts);
    }
  }

  private static boolean isBlank(List<Part> parts) {
    return parts.stream()
        .allMatch(part -> part instanceof Part.Plain(String text) && text.isBlank());
  }

  private static String name(TokenReader tokens) {
    Token name = tokens.take();
    if (!name.is(Kind.CONSTANT) || name.text().isEmpty()) {
      throw TemplateException.at(name.line(), "a template's name must be a string");
    }
    return name.text();
  }

  private Pipeline optional(TokenReader tokens) {
    return tokens.peek().is(Kind.END) ? Pipeline.EMPTY : pipelines.whole(tokens);
  }

  private int enter(int line) {
    if (++depth > MAX_NESTED) {
      throw TemplateException.at(line, "more than %d blocks in each other".formatted(MAX_NESTED));
    }
    return pipelines.scope();
  }

  private void leave(int scope) {
    depth--;
    pipelines.leave(scope);
  }

  /** The {@code end} or {@code else} at which the parts stopped. */
  private TokenReader ending() {
    if (next >= pieces.size()) {
      throw new TemplateException("an {{end}} is missing at the end of the template");
    }
    return new TokenReader(((Piece.Action) pieces.get(next++)).tokens());
  }

  private void requireEnd() {
    Token end = ending().take();
    if (!end.text().equals("end")) {
      throw TemplateException.at(end.line(), "expected {{end}} and found {{else}}");
    }
  }
}
