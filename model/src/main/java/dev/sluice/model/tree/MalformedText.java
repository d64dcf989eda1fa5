package dev.sluice.model.tree;

/** The error for invalid JSON or YAML. The message says where and why. */
public final class MalformedText extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MalformedText(String message) {
    super(message);
  }
}
