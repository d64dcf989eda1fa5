package dev.sluice.controllers.nodes.stage;

import static dev.sluice.controllers.nodes.stage.SampleStages.NOW;
import static dev.sluice.controllers.nodes.stage.SampleStages.POD;
import static dev.sluice.controllers.nodes.stage.SampleStages.stage;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** Which stage comes next, and when. */
class StageTest {
  private final SplittableRandom random = new SplittableRandom(1);

  private Moment moment() {
    return new Moment(NOW, NOW, random);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "selector: {} | true",
        "weight: 1 | false",
        "selector: {matchLabels: {app: a}} | true",
        "selector: {matchLabels: {app: b}} | false",
        "selector: {matchAnnotations: {delay: 7s}} | true",
        "selector: {matchAnnotations: {delay: 7s, other: x}} | false",
        "selector: {matchExpressions: [{key: .status.phase, operator: In, values: [Pending]}]} |"
            + " true",
        "selector: {matchExpressions: [{jq: {key: .status.phase, operator: In, values:"
            + " [Running]}}]} | false",
        "selector: {matchExpressions: [{key: .status.phase, operator: NotIn, values: [Running]}]} |"
            + " true",
        "selector: {matchExpressions: [{key: .status.none, operator: NotIn, values: [Running]}]} |"
            + " true",
        "selector: {matchExpressions: [{key: .status.none, operator: Exists}]} | false",
        "selector: {matchExpressions: [{key: .status.none, operator: DoesNotExist}]} | true",
        "selector: {matchExpressions: [{key: .status.ready, operator: In, values: ['true']}]} |"
            + " true",
        "selector: {matchExpressions: [{cel: {expression: \"self.status.phase == 'Pending'\"}}]} |"
            + " true",
        "selector: {matchExpressions: [{cel: {expression: self.status.restarts > 1}}]} | false",
        "selector: {matchExpressions: [{cel: {expression: self.missing.deeper}}]} | false",
        "selector: {matchExpressions: [{key: .status.restarts, operator: In, values: ['1']}]} |"
            + " false"
      })
  void selects(String spec, boolean want) {
    assertThat(Stage.next(List.of(stage("s", spec)), POD, moment()).isPresent()).isEqualTo(want);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "weight: 0 | 0",
        "delay: {durationMilliseconds: 1500} | 1500",
        "delay: {durationMilliseconds: 1500, durationFrom: {expressionFrom:"
            + " .metadata.annotations.delay}} | 7000",
        "delay: {durationMilliseconds: 1500, durationFrom: {jq: {expression:"
            + " .metadata.annotations.at}}} | 9000",
        "delay: {durationMilliseconds: 1500, durationFrom: {expressionFrom:"
            + " .metadata.annotations.missing}} | 1500",
        "delay: {durationMilliseconds: 1500, durationFrom: {expressionFrom:"
            + " .metadata.annotations.word}} | 1500",
        "delay: {durationMilliseconds: 1500, durationFrom: {expressionFrom:"
            + " .metadata.annotations.none}} | 0",
        "delay: {jitterDurationMilliseconds: 0, durationFrom: {expressionFrom:"
            + " .metadata.annotations.delay}} | 0",
        "delay: {durationMilliseconds: 1500, jitterDurationMilliseconds: 5000, durationFrom:"
            + " {expressionFrom: .metadata.annotations.none}} | 0",
        "delay: {durationMilliseconds: 1500, jitterDurationMilliseconds: 5000, jitterDurationFrom:"
            + " {expressionFrom: .metadata.annotations.none}} | 1500",
        "delay: {durationFrom: {expressionFrom: .metadata.annotations.past}} | 0",
        "delay: {durationFrom: {cel: {expression: Now() + duration('4s')}}} | 4000",
        "delay: {durationFrom: {cel: {expression: duration('2s')}}} | 2000",
        "delay: {durationFrom: {cel: {expression: string(int(Quantity('2') + Rand())) + 's'}}} |"
            + " 2000",
        "delay: {durationMilliseconds: 5000, jitterDurationMilliseconds: 3000} | 3000",
        "delay: {durationMilliseconds: 9000, jitterDurationFrom: {expressionFrom:"
            + " .metadata.annotations.delay}} | 7000"
      })
  void waits(String spec, long wantMillis) {
    assertThat(stage("s", spec).delay(POD, moment())).isEqualTo(Duration.ofMillis(wantMillis));
  }

  @Test
  void jitterIsAnUpperBound() {
    Stage stage =
        stage("s", "delay: {durationMilliseconds: 1000, jitterDurationMilliseconds: 5000}");

    for (int i = 0; i < 100; i++) {
      assertThat(stage.delay(POD, moment()))
          .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(5).minusNanos(1));
    }
  }

  record Choice(String name, List<String> specs, List<String> possible) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Choice> CHOICES =
      List.of(
          new Choice("the only one, whatever it weighs", List.of("weight: 0"), List.of("0")),
          new Choice(
              "all alike without weights", List.of("weight: 0", "weight: 0"), List.of("0", "1")),
          new Choice("zero gives way", List.of("weight: 0", "weight: 1"), List.of("1")),
          new Choice(
              "by chance among weights", List.of("weight: 1", "weight: 2"), List.of("0", "1")),
          new Choice(
              "the object's weight counts",
              List.of(
                  "weight: 0, weightFrom: {expressionFrom: .metadata.annotations.weight}",
                  "weight: 0"),
              List.of("0")),
          new Choice(
              "an unreadable weight is out",
              List.of(
                  "weight: 9, weightFrom: {expressionFrom: .metadata.annotations.bad}",
                  "weight: 0"),
              List.of("1")),
          new Choice(
              "only unreadable weights",
              List.of(
                  "weightFrom: {expressionFrom: .metadata.annotations.bad}",
                  "weightFrom: {expressionFrom: .metadata.annotations.bad}"),
              List.of("0", "1")));

  @ParameterizedTest
  @FieldSource("CHOICES")
  void choosesByWeight(Choice c) {
    var stages = new ArrayList<Stage>();
    for (String spec : c.specs()) {
      stages.add(stage("s" + stages.size(), "selector: {}, " + spec));
    }
    var chosen = new TreeSet<String>();
    for (int i = 0; i < 200; i++) {
      chosen.add(Stage.next(stages, POD, moment()).orElseThrow().name().substring(1));
    }

    assertThat(chosen).containsExactlyElementsOf(c.possible());
  }
}
