package dev.sluice.controllers.nodes;

import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.stream.Stream;

/**
 * A selector of labels or annotations, in the syntax of kubectl: {@code a=b}, {@code a!=b}, {@code
 * a} and {@code !a}, separated by commas.
 */
record TagSelector(List<Claim> claims) {

  TagSelector {
    claims = List.copyOf(claims);
  }

  /** The requirement for one label or annotation. */
  sealed interface Claim {
    String key();

    record Is(String key, String value) implements Claim {}

    record IsNot(String key, String value) implements Claim {}

    record Exists(String key) implements Claim {}

    record Misses(String key) implements Claim {}
  }

  /**
   * @throws IllegalArgumentException if the string is not a selector
   */
  static TagSelector parse(String text) {
    return new TagSelector(
        Stream.of(text.split(",", -1))
            .map(String::strip)
            .filter(part -> !part.isEmpty())
            .map(part -> claim(part, text))
            .toList());
  }

  private static Claim claim(String part, String whole) {
    if (part.contains("(") || part.contains(" ")) {
      throw new IllegalArgumentException(
          "%s is not understood: write key=value, key!=value, key or !key, with commas between"
              .formatted(whole));
    }
    if (part.contains("!=")) {
      String[] sides = part.split("!=", 2);
      return new Claim.IsNot(sides[0], sides[1]);
    }
    if (part.contains("=")) {
      String[] sides = part.split("==?", 2);
      return new Claim.Is(sides[0], sides[1]);
    }
    return part.startsWith("!") ? new Claim.Misses(part.substring(1)) : new Claim.Exists(part);
  }

  /** Evaluated for every change of a pod, so it allocates nothing. */
  boolean matches(Tree tags) {
    for (Claim claim : claims) {
      if (!meets(claim, tags)) {
        return false;
      }
    }
    return true;
  }

  private static boolean meets(Claim claim, Tree tags) {
    return switch (claim) {
      case Claim.Is(String key, String value) -> tags.has(key) && tags.text(key).equals(value);
      case Claim.IsNot(String key, String value) -> !tags.has(key) || !tags.text(key).equals(value);
      case Claim.Exists(String key) -> tags.has(key);
      case Claim.Misses(String key) -> !tags.has(key);
    };
  }
}
