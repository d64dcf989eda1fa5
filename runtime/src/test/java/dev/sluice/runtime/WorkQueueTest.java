package dev.sluice.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WorkQueueTest {
  private static final ObjectKey A = Kinds.POD.key("n", "a");
  private static final ObjectKey B = Kinds.POD.key("n", "b");

  private final WorkQueue queue = new WorkQueue();

  @Test
  void aKeyWaitsOnceHoweverOftenItIsAdded() {
    queue.add(A);
    queue.add(B);
    queue.add(A);

    assertThat(queue.take()).contains(A);
    assertThat(queue.take()).contains(B);
    assertThat(queue.take()).isEmpty();
  }

  @Test
  void aKeyThatIsWorkedOnComesBackOnlyAfterwards() {
    queue.add(A);
    queue.take();

    queue.add(A);
    queue.add(A);
    assertThat(queue.take()).isEmpty();

    queue.done(A);
    assertThat(queue.take()).contains(A);
    queue.done(A);
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void retriesSlowDownUpToALimitAndStartAnewAfterASuccess() {
    assertThat(queue.failed(A)).isEqualTo(Duration.ofMillis(5));
    assertThat(queue.failed(A)).isEqualTo(Duration.ofMillis(10));
    assertThat(queue.failed(B)).isEqualTo(Duration.ofMillis(5));
    for (int i = 0; i < 100; i++) {
      assertThat(queue.failed(A)).isLessThanOrEqualTo(Duration.ofSeconds(30));
    }
    assertThat(queue.failed(A)).isEqualTo(Duration.ofSeconds(30));

    queue.succeeded(A);
    assertThat(queue.failed(A)).isEqualTo(Duration.ofMillis(5));
  }
}
