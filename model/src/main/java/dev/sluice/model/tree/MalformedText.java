package dev.sluice.model.tree;

/** A text that is not the JSON or YAML it should be. The message says where and why. */
public final class MalformedText extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MalformedText(String message) {
    super(message);
  }
}
