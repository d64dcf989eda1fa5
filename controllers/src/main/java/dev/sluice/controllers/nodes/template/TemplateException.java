package dev.sluice.controllers.nodes.template;

/** An error in a template, or in its rendering with some data. */
public final class TemplateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TemplateException(String message) {
    // The error is in the template, so a stack trace would not help.
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
