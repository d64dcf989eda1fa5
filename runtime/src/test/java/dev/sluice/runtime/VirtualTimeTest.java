package dev.sluice.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {
  private final VirtualTime time = new VirtualTime(Instant.EPOCH);
  private final List<String> ran = new ArrayList<>();

  @Test
  void tasksRunInTheOrderOfTheirMomentsAndThenOfTheirAsking() {
    time.after(Duration.ofSeconds(2), () -> ran.add("two"));
    time.after(Duration.ofSeconds(1), () -> ran.add("one"));
    time.after(Duration.ofSeconds(1), () -> ran.add("one again"));
    time.after(Duration.ofSeconds(-1), () -> ran.add("now"));

    while (time.next().isPresent()) {
      time.step();
    }

    assertThat(ran).containsExactly("now", "one", "one again", "two");
    assertThat(time.now()).isEqualTo(Instant.EPOCH.plusSeconds(2));
  }

  @Test
  void aClosedTimerNeverRuns() {
    Subscription timer = time.after(Duration.ofSeconds(1), () -> ran.add("never"));

    timer.close();
    timer.close();

    assertThat(time.next()).isEmpty();
    assertThat(ran).isEmpty();
  }
}
