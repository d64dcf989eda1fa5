package dev.sluice.apiserver.apply;

import java.util.Optional;

/** How a manager came to its fields. */
public enum Operation {
  /** It said what it wants, and owns that as long as it says so. */
  APPLY("Apply"),
  /** It wrote, and owns what it changed. */
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
