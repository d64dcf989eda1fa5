package dev.sluice.apiserver.apply;

import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.Optional;

/**
 * One element of the path to a field. It has two written forms: the one of {@code fieldsV1}, such
 * as {@code k:{"name":"main"}}, and the one in messages, such as {@code [name="main"]}.
 */
public sealed interface PathElement extends Comparable<PathElement> {

  /** A field of an object, or an entry of a map. */
  record Field(String name) implements PathElement {}

  /** The element of a list that has these keys. */
  record Keys(Tree keys) implements PathElement {}

  /** An element of a set, which is its own identity. */
  record Member(Value value) implements PathElement {}

  /** An index in a list. The server never writes one, but a client may have. */
  record Place(int index) implements PathElement {}

  /** The form of {@code fieldsV1}. */
  default String written() {
    return switch (this) {
      case Field(String name) -> "f:" + name;
      case Keys(Tree keys) -> "k:" + Json.write(keys);
      case Member(Value value) -> "v:" + Json.write(value);
      case Place(int index) -> "i:" + index;
    };
  }

  /** The form in conflict messages. */
  default String shown() {
    return switch (this) {
      case Field(String name) -> "." + name;
      case Keys(Tree keys) ->
          "["
              + String.join(
                  ",", keys.names().stream().map(key -> key + "=" + keys.at(key)).toList())
              + "]";
      case Member(Value value) -> "[=" + value + "]";
      case Place(int index) -> "[" + index + "]";
    };
  }

  /**
   * Reads the form of {@code fieldsV1}; an unknown kind of element gives none, since a newer server
   * may have written it.
   *
   * @throws MalformedText if the kind is known but the rest cannot be read
   */
  static Optional<PathElement> parse(String written) {
    if (written.length() < 2 || written.charAt(1) != ':') {
      throw new MalformedText("\"" + written + "\" is no step of a field's path");
    }
    String rest = written.substring(2);
    return switch (written.charAt(0)) {
      case 'f' -> Optional.of(new Field(rest));
      case 'k' -> Optional.of(new Keys(keys(rest)));
      case 'v' -> Optional.of(new Member(Json.parse(rest)));
      case 'i' -> Optional.of(new Place(index(rest)));
      default -> Optional.empty();
    };
  }

  private static Tree keys(String text) {
    if (Json.parse(text) instanceof Tree keys) {
      return keys;
    }
    throw new MalformedText("the keys of an element must be an object, but are " + text);
  }

  private static int index(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException malformed) {
      throw new MalformedText("the place of an element must be a number, but is " + text);
    }
  }

  @Override
  default int compareTo(PathElement other) {
    // Nearly all elements are fields, which are compared without formatting them first.
    return this instanceof Field(String name) && other instanceof Field(String otherName)
        ? name.compareTo(otherName)
        : written().compareTo(other.written());
  }
}
