package dev.sluice.controllers.configuration;

import static dev.sluice.controllers.configuration.Files.problems;
import static dev.sluice.controllers.configuration.Files.read;
import static dev.sluice.controllers.configuration.Files.v1beta2;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class CustomLabelSectionTest {
  private static final String GATE = "featureGates: {CustomMetricLabels: true}\n";

  record Case(String labels, String want) {
    @Override
    public String toString() {
      return labels;
    }
  }

  private static String six(String prefix, String kind) {
    return IntStream.range(0, 6)
        .mapToObj(i -> "{name: %s%d, sourceKind: %s}".formatted(prefix, i, kind))
        .collect(Collectors.joining(", "));
  }

  static final List<Case> INVALID =
      List.of(
          new Case(
              "{}",
              "[0].name: \"\" cannot be part of a Prometheus label; use letters, digits and _, the"
                  + " first a letter"),
          new Case(
              "{name: cost-center}",
              "[0].name: \"cost-center\" cannot be part of a Prometheus label; use letters, digits"
                  + " and _, the first a letter"),
          new Case(
              "{name: team}, {name: team, sourceKind: Cohort}",
              "[1].name: \"team\" is the name of another label too; rename one"),
          new Case(
              "{name: team_}",
              "[0].name: \"team_\" is not the key of a label; give sourceLabelKey or"
                  + " sourceAnnotationKey"),
          new Case(
              "{name: a, sourceLabelKey: a/b/c}",
              "[0].sourceLabelKey: \"a/b/c\" is not the key of a label"),
          new Case(
              "{name: a, sourceAnnotationKey: '-'}",
              "[0].sourceAnnotationKey: \"-\" is not the key of an annotation"),
          new Case(
              "{name: a, sourceLabelKey: b, sourceAnnotationKey: c}",
              "[0].sourceAnnotationKey: cannot be given together with sourceLabelKey; remove one"),
          new Case(
              "{name: a, sourceKind: Pod}",
              "[0].sourceKind: \"Pod\" is none of: ClusterQueue, LocalQueue, Cohort, Workload"),
          new Case(
              "{name: a, sourceKind: Workload}",
              "[0].trackedValues: has 0 values; give 1 to 12 for sourceKind Workload, all others"
                  + " are counted as one"),
          new Case(
              "{name: a, sourceKind: Workload, trackedValues: [a, b, c, d, e, f, g, h, i, j, k, l,"
                  + " m]}",
              "[0].trackedValues: has 13 values; give 1 to 12 for sourceKind Workload, all others"
                  + " are counted as one"),
          new Case(
              "{name: a, trackedValues: [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q]}",
              "[0].trackedValues: has 17 values; give 0 to 16 for sourceKind ClusterQueue, all"
                  + " others are counted as one"),
          new Case(
              six("q", "ClusterQueue") + ", {name: more}",
              ": has 7 labels of sourceKind ClusterQueue; remove 1, since there may be 6"),
          new Case(
              "{name: a, sourceKind: Workload, trackedValues: [x]}, {name: b, sourceKind: Workload,"
                  + " trackedValues: [x]}, {name: c, sourceKind: Workload, trackedValues: [x]}",
              ": has 3 labels of sourceKind Workload; remove 1, since there may be 2"));

  @ParameterizedTest
  @FieldSource("INVALID")
  void problemNamesFieldValueAndCorrection(Case c) {
    String file = "metrics: {customLabels: [" + c.labels() + "]}";

    assertThat(problems(v1beta2(GATE + file))).containsExactly("metrics.customLabels" + c.want());
    assertThat(problems(v1beta2(file)))
        .as("also where the gate is closed, so that opening it changes nothing else")
        .containsExactly("metrics.customLabels" + c.want());
  }

  @Test
  void maximumNumberOfLabelsIsRead() {
    String workload = ", sourceKind: Workload, trackedValues: [x]}";
    String all =
        String.join(
            ", ",
            six("q", "ClusterQueue"),
            six("c", "Cohort"),
            six("l", "LocalQueue"),
            "{name: w1" + workload,
            "{name: w2" + workload);

    var loaded = read(v1beta2(GATE + "metrics: {customLabels: [" + all + "]}"));

    assertThat(loaded.warnings()).isEmpty();
    assertThat(loaded.manager().metrics().customLabels()).hasSize(20);
  }

  private static final String WORKLOAD_LABELS =
      """
      metrics:
        customLabels:
        - {name: type, sourceKind: Workload, trackedValues: [training]}
        - {name: cost, sourceKind: Workload, sourceAnnotationKey: acme.io/cost, trackedValues: [a]}
        - {name: team, sourceAnnotationKey: acme.io/team}
      integrations: {labelKeysToCopy: [team]}
      """;

  @Test
  void sourcesOfWorkloadLabelsAreCopiedToWorkloads() {
    var open = read(v1beta2(GATE + WORKLOAD_LABELS)).configuration();
    var closed = read(v1beta2(WORKLOAD_LABELS)).configuration();

    assertThat(open.labelKeysToCopy()).containsExactly("team", "type");
    assertThat(open.annotationKeysToCopy()).containsExactly("acme.io/cost");
    assertThat(closed.labelKeysToCopy()).containsExactly("team");
    assertThat(closed.annotationKeysToCopy()).isEmpty();
  }

  @Test
  void labelWithoutEffectCausesAWarning() {
    String label = "metrics: {%scustomLabels: [{name: team, sourceKind: LocalQueue}]}";

    assertThat(read(v1beta2(label.formatted(""))).warnings())
        .containsExactly(
            "metrics.customLabels: has no effect: the gate CustomMetricLabels is false");
    assertThat(
            read(v1beta2(GATE + label.formatted("localQueueMetrics: {enable: false}, ")))
                .warnings())
        .containsExactly("metrics.customLabels: team has no effect: LocalQueues are not measured");
    assertThat(
            read(v1beta2(GATE + "metrics: {customLabels: [{name: a, trackedValue: [b]}]}"))
                .warnings())
        .containsExactly(
            "metrics.customLabels[0].trackedValue: has no effect: there is no such field; did you"
                + " mean trackedValues?");
  }
}
