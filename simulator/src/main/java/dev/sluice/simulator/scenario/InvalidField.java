package dev.sluice.simulator.scenario;

import java.util.List;

/** A field of the Scenario object that cannot be understood, before its line is looked up. */
final class InvalidField extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> path;

  InvalidField(List<String> path, String problem) {
    super("%s: %s".formatted(written(path), problem));
    this.path = List.copyOf(path);
  }

  List<String> path() {
    return path;
  }

  /** A path as users write it: {@code spec.jobs[0].name}. */
  private static String written(List<String> path) {
    var text = new StringBuilder();
    for (String name : path) {
      if (Character.isDigit(name.charAt(0))) {
        text.append('[').append(name).append(']');
      } else {
        text.append(text.isEmpty() ? "" : ".").append(name);
      }
    }
    return text.isEmpty() ? "the document" : text.toString();
  }
}
