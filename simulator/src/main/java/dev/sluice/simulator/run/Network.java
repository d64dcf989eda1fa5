package dev.sluice.simulator.run;

import dev.sluice.model.ApiFailure;
import dev.sluice.runtime.TimeSource;
import java.time.Duration;
import java.time.Instant;

/** The state of the connection between all clients and the API server: faults change it. */
final class Network {
  private final TimeSource time;
  private Instant outageUntil = Instant.MIN;
  private Instant slowUntil = Instant.MIN;
  private Duration delay = Duration.ZERO;

  Network(TimeSource time) {
    this.time = time;
  }

  void fail(Duration lasting) {
    Instant end = time.now().plus(lasting);
    outageUntil = end.isAfter(outageUntil) ? end : outageUntil;
  }

  void slowDown(Duration delay, Duration lasting) {
    this.delay = delay;
    slowUntil = time.now().plus(lasting);
  }

  /** How long the outage lasts from now on; zero if there is none. */
  Duration outage() {
    Duration rest = Duration.between(time.now(), outageUntil);
    return rest.isNegative() ? Duration.ZERO : rest;
  }

  /** How late a watch delivers what happens now. */
  Duration lag() {
    Duration slow = time.now().isBefore(slowUntil) ? delay : Duration.ZERO;
    Duration outage = outage();
    return outage.compareTo(slow) > 0 ? outage : slow;
  }

  void requireConnection() {
    if (outage().isPositive()) {
      throw ApiFailure.because(
          ApiFailure.Reason.SERVICE_UNAVAILABLE, "the API server cannot be reached");
    }
  }
}
