package dev.sluice.apiserver.apply;

import java.util.Optional;

/** The way in which a manager became the owner of its fields. */
public enum Operation {
  /** The manager applied them, and owns them as long as its configuration has them. */
  APPLY("Apply"),
  /** The manager changed them with a create, an update or a patch. */
  UPDATE("Update");

  private final String word;

  Operation(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }

  static Optional<Operation> named(String word) {
    for (Operation operation : values()) {
      if (operation.word.equals(word)) {
        return Optional.of(operation);
      }
    }
    return Optional.empty();
  }
}
