package dev.sluice.controllers.nodes.cel;

/** An error of an expression that compiles but cannot be evaluated; the message says why. */
public final class CelFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CelFailedException(String why) {
    super(why);
  }

  /** Why, in one line. */
  public String why() {
    return String.valueOf(getMessage()).lines().findFirst().orElse("");
  }
}
