package dev.sluice.controllers.queueing.visibility;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.runtime.ComputedApi.Request;

/**
 * The part of a pending queue that a request asks for.
 *
 * @param offset the number of workloads to skip
 * @param limit the maximum number of workloads to return
 * @param explained whether each workload has an explanation
 */
record Page(long offset, long limit, boolean explained) {
  private static final long DEFAULT = 1000;
  private static final long MAX = 100_000;

  /** An explanation takes about as long as a decision about the workload. */
  private static final long MAX_EXPLAINED = 100;

  static Page of(Request request) {
    boolean explained = request.parameter("explain").equals("true");
    long max = explained ? MAX_EXPLAINED : MAX;
    long limit = whole(request, "limit");
    return new Page(
        whole(request, "offset"), Math.min(limit == 0 ? DEFAULT : limit, max), explained);
  }

  private static long whole(Request request, String parameter) {
    String value = request.parameter(parameter);
    if (value.isEmpty()) {
      return 0;
    }
    try {
      long number = Long.parseLong(value);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException ignored) {
      // Reported below, like a negative number.
    }
    throw ApiFailure.because(
        Reason.BAD_REQUEST,
        "%s must be a whole number from 0 on, not \"%s\"".formatted(parameter, value));
  }
}
