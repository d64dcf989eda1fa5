package dev.sluice.model.cron;

/** A text is no schedule; it knows why. */
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
