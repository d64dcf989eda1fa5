package dev.sluice.model.patch;

import static dev.sluice.model.patch.JsonPatch.invalid;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** A JSON pointer (RFC 6901), and the edits of JSON Patch at its location. */
public record Pointer(List<String> tokens) {
  private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,8}");
  private static final Pattern BAD_ESCAPE = Pattern.compile("~(?![01])");

  public Pointer {
    tokens = List.copyOf(tokens);
  }

  public static Pointer parse(String text) {
    if (text.isEmpty()) {
      return new Pointer(List.of());
    }
    if (!text.startsWith("/") || BAD_ESCAPE.matcher(text).find()) {
      throw invalid(
          "\"%s\" is not a JSON pointer: it starts with / and writes ~ as ~0 and / as ~1"
              .formatted(text));
    }
    return new Pointer(
        Arrays.stream(text.substring(1).split("/", -1))
            .map(token -> token.replace("~1", "/").replace("~0", "~"))
            .toList());
  }

  /** Whether {@code other} points inside the location of this pointer. */
  public boolean contains(Pointer other) {
    return other.tokens.size() > tokens.size()
        && other.tokens.subList(0, tokens.size()).equals(tokens);
  }

  /** The value at the location. Fails if the location does not exist. */
  public Value read(Value document) {
    return find(document).orElseThrow(() -> invalid("nothing stands at \"" + this + "\""));
  }

  /** The value at the location, or empty if only the last token does not exist. */
  public Optional<Value> find(Value document) {
    Value value = document;
    for (int i = 0; i < tokens.size(); i++) {
      Optional<Value> next = step(value, tokens.get(i));
      if (next.isEmpty() && i == tokens.size() - 1 && value instanceof Tree) {
        return Optional.empty();
      }
      value = next.orElseThrow(() -> invalid("nothing stands at \"" + this + "\""));
    }
    return Optional.of(value);
  }

  Value add(Value document, Value value) {
    return tokens.isEmpty()
        ? value
        : edit(document, 0, (container, last) -> add(container, last, value));
  }

  private Value add(Value container, String last, Value value) {
    return switch (container) {
      case Tree tree -> tree.with(last, value);
      case Items(List<Value> items) -> {
        var longer = new ArrayList<>(items);
        longer.add(last.equals("-") ? items.size() : index(last, items.size() + 1), value);
        yield new Items(longer);
      }
      case Value scalar -> throw noContainer(scalar);
    };
  }

  /** The document with another value at the location, all but the last step of which exists. */
  public Value replace(Value document, Value value) {
    return tokens.isEmpty()
        ? value
        : edit(
            document,
            0,
            (container, last) ->
                switch (container) {
                  case Tree tree -> tree.with(last, value);
                  case Items items ->
                      replaced(items, index(last, items.values().size()), old -> value);
                  case Value scalar -> throw noContainer(scalar);
                });
  }

  Value remove(Value document) {
    if (tokens.isEmpty()) {
      throw invalid("the whole object cannot be removed by a patch; delete it");
    }
    read(document);
    return edit(
        document,
        0,
        (container, last) ->
            switch (container) {
              case Tree tree -> tree.without(last);
              case Items(List<Value> items) -> {
                var shorter = new ArrayList<>(items);
                shorter.remove(index(last, items.size()));
                yield new Items(shorter);
              }
              case Value scalar -> throw noContainer(scalar);
            });
  }

  /** An edit of the container to which the last token refers. */
  private interface Edit {
    Value apply(Value container, String last);
  }

  private Value edit(Value node, int depth, Edit edit) {
    String token = tokens.get(depth);
    if (depth == tokens.size() - 1) {
      return edit.apply(node, token);
    }
    return switch (node) {
      case Tree tree when tree.has(token) ->
          tree.with(token, edit(tree.at(token), depth + 1, edit));
      case Items items ->
          replaced(
              items, index(token, items.values().size()), child -> edit(child, depth + 1, edit));
      case Value ignored -> throw invalid("nothing stands above \"" + this + "\"");
    };
  }

  private static Items replaced(Items items, int index, UnaryOperator<Value> change) {
    Value before = items.values().get(index);
    Value after = change.apply(before);
    if (after.equals(before)) {
      return items;
    }
    var changed = new ArrayList<>(items.values());
    changed.set(index, after);
    return new Items(changed);
  }

  private Optional<Value> step(Value value, String token) {
    return switch (value) {
      case Tree tree -> tree.has(token) ? Optional.of(tree.at(token)) : Optional.empty();
      case Items(List<Value> items) -> Optional.of(items.get(index(token, items.size())));
      case Value scalar -> throw noContainer(scalar);
    };
  }

  private int index(String token, int size) {
    if (INDEX.matcher(token).matches() && Integer.parseInt(token) < size) {
      return Integer.parseInt(token);
    }
    throw invalid("\"%s\" leads out of an array: %s is not an index in it".formatted(this, token));
  }

  private RuntimeException noContainer(Value scalar) {
    return invalid("\"%s\" leads into %s, which has no members".formatted(this, scalar));
  }

  @Override
  public String toString() {
    var text = new StringBuilder();
    for (String token : tokens) {
      text.append('/').append(token.replace("~", "~0").replace("/", "~1"));
    }
    return text.toString();
  }
}
