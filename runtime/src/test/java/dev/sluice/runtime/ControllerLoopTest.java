package dev.sluice.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.slf4j.event.Level;

/** How loudly a controller tells that a write was refused. */
class ControllerLoopTest {

  record Case(String name, boolean stopping, Reason reason, Level want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("the server does not answer", false, Reason.SERVICE_UNAVAILABLE, Level.WARN),
          new Case("the write is wrong", false, Reason.INVALID, Level.WARN),
          new Case("somebody else was faster", false, Reason.CONFLICT, Level.DEBUG),
          new Case("told to stop in the write", true, Reason.SERVICE_UNAVAILABLE, Level.DEBUG));

  @ParameterizedTest
  @FieldSource("CASES")
  void tellsOfARefusal(Case c) {
    if (c.stopping()) {
      Thread.currentThread().interrupt();
    }
    try {
      assertThat(ControllerLoop.level(ApiFailure.because(c.reason(), "no"))).isEqualTo(c.want());
    } finally {
      assertThat(Thread.interrupted()).as("the order to stop is kept").isEqualTo(c.stopping());
    }
  }
}
