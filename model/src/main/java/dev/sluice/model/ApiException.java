package dev.sluice.model;

/** Carries an {@link ApiFailure} from where a request is refused to where the answer is given. */
public final class ApiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ApiFailure failure;

  ApiException(ApiFailure failure) {
    // A refusal is an answer, not an accident: no one reads its stack, and writing one is slow.
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
