package dev.sluice.controllers.queueing.visibility;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.runtime.ComputedApi.Request;

/**
 * Which part of a line somebody wants to see.
 *
 * @param offset how many to pass over
 * @param limit how many to show at most
 * @param explained whether to say why each of them waits
 */
record Page(long offset, long limit, boolean explained) {
  private static final long USUAL = 1000;
  private static final long MOST = 100_000;

  /** To explain one workload takes about as long as to decide about it. */
  private static final long MAX_EXPLAINED = 100;

  static Page of(Request question) {
    boolean explained = question.parameter("explain").equals("true");
    long most = explained ? MAX_EXPLAINED : MOST;
    long limit = whole(question, "limit");
    return new Page(
        whole(question, "offset"), Math.min(limit == 0 ? USUAL : limit, most), explained);
  }

  private static long whole(Request question, String parameter) {
    String text = question.parameter(parameter);
    if (text.isEmpty()) {
      return 0;
    }
    try {
      long number = Long.parseLong(text);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException ignored) {
      // Told below, as any other number that cannot be.
    }
    throw ApiFailure.because(
        Reason.BAD_REQUEST,
        "%s must be a whole number from 0 on, not \"%s\"".formatted(parameter, text));
  }
}
