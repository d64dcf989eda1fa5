package dev.sluice.cli;

/**
 * An error that the user can fix. The message is one sentence that says what is wrong and how to
 * fix it. Commands of other rooms have subclasses of their own.
 */
public class UserError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  protected UserError(String message, int exitCode) {
    super(message);
    this.exitCode = exitCode;
  }

  /** The command line is wrong. */
  public static UserError usage(String message) {
    return new UserError(message, 2);
  }

  /** The command line is right, but something else failed. */
  public static UserError failure(String message) {
    return new UserError(message, 1);
  }

  int exitCode() {
    return exitCode;
  }
}
