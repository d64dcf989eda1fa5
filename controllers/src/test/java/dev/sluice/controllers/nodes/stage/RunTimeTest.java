package dev.sluice.controllers.nodes.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.GoDuration;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunTimeTest {

  @ParameterizedTest
  @CsvSource({
    "90s, PT1M30S",
    "1m30s, PT1M30S",
    "500ms, PT0.5S",
    "1.5h, PT1H30M",
    ".5s, PT0.5S",
    "1h0m0.25s, PT1H0.25S",
    "10us, PT0.00001S",
    "10µs, PT0.00001S",
    "7ns, PT0.000000007S",
    "+1s, PT1S",
    "0, PT0S"
  })
  void goDurations(String text, Duration want) {
    assertThat(GoDuration.parse(text)).contains(want);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "90", "s", "1 s", "-1s", "1d", "1s!", "x1s", "1e3s", "9999999999h"})
  void noGoDurations(String text) {
    assertThat(GoDuration.parse(text)).isEmpty();
  }

  record SleepCase(String container, RunTime want) {}

  static final List<SleepCase> SLEEPS =
      List.of(
          new SleepCase("command: [sleep, '30']", ends(30)),
          new SleepCase("command: [/bin/sleep, 2m]", ends(120)),
          new SleepCase("command: [sleep], args: [1h]", ends(3600)),
          new SleepCase("args: [sleep, 5s]", ends(5)),
          new SleepCase("command: [sh, -c, sleep 7]", ends(7)),
          new SleepCase("command: [/bin/sh, -c], args: [' sleep 7 ']", ends(7)),
          new SleepCase("command: [bash, -c, sleep 0.5]", new RunTime.Ends(Duration.ofMillis(500))),
          new SleepCase("command: [sleep, infinity]", new RunTime.Endless()),
          new SleepCase("command: [sh, -c, 'echo hi; sleep 7']", ends(0)),
          new SleepCase("command: [sleep, many]", ends(0)),
          new SleepCase("command: [python, train.py]", ends(0)),
          new SleepCase("image: busybox", ends(0)));

  @ParameterizedTest
  @FieldSource("SLEEPS")
  void sleeps(SleepCase c) {
    assertThat(RunTime.of(pod("{name: a, " + c.container() + "}"))).isEqualTo(c.want());
  }

  @Test
  void theLongestOfSeveralContainersCounts() {
    assertThat(
            RunTime.of(pod("{name: a, command: [sleep, '3']}, {name: b, command: [sleep, '9']}")))
        .isEqualTo(ends(9));
  }

  @Test
  void theAnnotationCountsMoreThanTheCommandAndMustBeReadable() {
    Pod pod = pod("{name: a, command: [sleep, '3']}");

    assertThat(RunTime.of(annotated(pod, "1m"))).isEqualTo(ends(60));
    assertThat(RunTime.of(annotated(pod, "soon"))).isEqualTo(new RunTime.Unreadable("soon"));
  }

  @Test
  void aPodOfNoJobRunsForEver() {
    Pod bare =
        new Pod(
            pod("{name: a, command: [sleep, '3']}").object().withoutMetadata("ownerReferences"));

    assertThat(RunTime.of(bare)).isEqualTo(new RunTime.Endless());
  }

  private static Pod annotated(Pod pod, String duration) {
    return new Pod(pod.object().withAnnotation(RunTime.ANNOTATION, duration));
  }

  private static Pod pod(String containers) {
    ApiObject job = Worlds.job("j", spec -> spec).withMetadata("uid", "u");
    return new Pod(
        Worlds.yaml(
                "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [%s]}}"
                    .formatted(containers))
            .controlledBy(job));
  }

  private static RunTime ends(long seconds) {
    return new RunTime.Ends(Duration.ofSeconds(seconds));
  }
}
