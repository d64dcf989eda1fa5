package dev.sluice.model;

/** An {@link ApiFailure} on its way from the check that failed to the response. */
public final class ApiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ApiFailure failure;

  ApiException(ApiFailure failure) {
    // A rejection is a normal response: its stack trace is not needed, and filling it in is slow.
    super(failure.message(), null, false, false);
    this.failure = failure;
  }

  public ApiFailure failure() {
    return failure;
  }

  public boolean is(ApiFailure.Reason reason) {
    return failure.reason() == reason;
  }
}
