package dev.sluice.model.cron;

/** The error for a string that is not a schedule. */
public final class InvalidScheduleException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String why;

  InvalidScheduleException(String why) {
    super(why);
    this.why = why;
  }

  public String why() {
    return why;
  }
}
