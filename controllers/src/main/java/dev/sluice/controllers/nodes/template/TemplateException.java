package dev.sluice.controllers.nodes.template;

/** A template that cannot be read, or cannot be rendered with what it was given. */
public final class TemplateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TemplateException(String message) {
    // The author of the template is to blame, so nobody reads our stack.
    super(message, null, false, false);
  }

  static TemplateException at(int line, String why) {
    return new TemplateException("line %d: %s".formatted(line, why));
  }

  /** What is wrong. */
  public String why() {
    return String.valueOf(getMessage());
  }
}
