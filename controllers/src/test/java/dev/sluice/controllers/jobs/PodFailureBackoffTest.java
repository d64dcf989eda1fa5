package dev.sluice.controllers.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.batch.FailureRule.Action;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodFailureBackoffTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private static Pod ended(long second) {
    return new Pod(
        Worlds.yaml(
            """
            metadata: {name: p, namespace: default}
            status:
              containerStatuses: [{name: main, state: {terminated: {finishedAt: '%s'}}}]
            """
                .formatted(NOON.plusSeconds(second))));
  }

  private static List<Pod> succeeded(long... seconds) {
    return Arrays.stream(seconds).mapToObj(PodFailureBackoffTest::ended).toList();
  }

  private static List<FailedPod> failed(Action action, long... seconds) {
    return succeeded(seconds).stream().map(pod -> new FailedPod(pod, action, "")).toList();
  }

  private static List<FailedPod> failed(long... seconds) {
    return failed(Action.COUNT, seconds);
  }

  @ParameterizedTest
  @CsvSource({"0,0", "1,10", "2,20", "3,40", "6,320", "7,600", "8,600", "1000000,600"})
  void theDelayDoublesUpToTenMinutes(long failures, long seconds) {
    assertThat(new PodFailureBackoff(failures, NOON).delay(NOON))
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void theDelayIsCountedFromTheLastFailure() {
    var streak = new PodFailureBackoff(1, NOON);

    assertThat(streak.delay(NOON.plusSeconds(4))).isEqualTo(Duration.ofSeconds(6));
    assertThat(streak.delay(NOON.plusSeconds(11))).isZero();
  }

  @Test
  void podsThatFailTogetherCountTogetherFromTheLatestOn() {
    PodFailureBackoff streak = PodFailureBackoff.NONE.after(List.of(), failed(5, 9, 7));

    assertThat(streak).isEqualTo(new PodFailureBackoff(3, NOON.plusSeconds(9)));
    assertThat(streak.after(List.of(), failed(20)))
        .isEqualTo(new PodFailureBackoff(4, NOON.plusSeconds(20)));
  }

  @Test
  void failuresThatDoNotCountAgainstTheJobDelayItToo() {
    assertThat(PodFailureBackoff.NONE.after(List.of(), failed(Action.IGNORE, 5)).failures())
        .isEqualTo(1);
  }

  @Test
  void aSuccessBreaksTheStreakButForWhatFailedAfterIt() {
    var streak = new PodFailureBackoff(4, NOON);

    assertThat(streak.after(succeeded(3), List.of())).isEqualTo(PodFailureBackoff.NONE);
    assertThat(streak.after(succeeded(3, 6), failed(2, 6, 8)))
        .isEqualTo(new PodFailureBackoff(1, NOON.plusSeconds(8)));
    assertThat(streak.after(List.of(), List.of())).isEqualTo(streak);
  }
}
