package dev.sluice.cli;

/**
 * Something the user can mend. The message is one sentence that says what and how. Commands beside
 * this room have kinds of their own.
 */
public class UserError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  protected UserError(String message, int exitCode) {
    super(message);
    this.exitCode = exitCode;
  }

  /** The command line asks for something that cannot be. */
  public static UserError usage(String message) {
    return new UserError(message, 2);
  }

  /** The command line is fine, but the world is not. */
  public static UserError failure(String message) {
    return new UserError(message, 1);
  }

  int exitCode() {
    return exitCode;
  }
}
