package dev.sluice.controllers.nodes.local;

/** Something that a container needs is not there yet; the message says what. */
final class MissingException extends Exception {
  private static final long serialVersionUID = 1L;

  MissingException(String message) {
    super(message);
  }

  String words() {
    return String.valueOf(getMessage());
  }
}
