package dev.sluice.controllers.nodes.cel;

/** An expression that cannot be evaluated here and now; the message says why. */
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
