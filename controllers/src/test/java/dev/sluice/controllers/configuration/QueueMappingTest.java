package dev.sluice.controllers.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.controllers.configuration.QueueMapping.Rule;
import dev.sluice.controllers.configuration.file.InvalidConfigurationException;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.testkit.Worlds;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The mapping of imported pods to LocalQueues, from the command line and from a file. */
class QueueMappingTest {
  private static final String FILE =
      """
      - match: {labels: {team: red}}
        toLocalQueue: red
      - match: {priorityClassName: high, labels: {team: blue, tier: web}}
        toLocalQueue: blue
      - match: {labels: {team: blue}}
        skip: true
      - match: {priorityClassName: low}
        toLocalQueue: rest
      """;

  private static Pod pod(String labels, String priorityClass) {
    return new Pod(
        Worlds.yaml(
            """
            {apiVersion: v1, kind: Pod, metadata: {name: p, labels: {%s}},
             spec: {priorityClassName: "%s"}}
            """
                .formatted(labels, priorityClass)));
  }

  private static String target(QueueMapping mapping, Pod pod) {
    return mapping
        .ruleFor(pod)
        .map(Rule::localQueue)
        .map(queue -> queue.orElse("skipped"))
        .orElse("none");
  }

  record Case(String name, String labels, String priorityClass, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> PODS =
      List.of(
          new Case("a rule without a class takes any", "team: red", "high", "red"),
          new Case("all of a rule must match", "team: blue, tier: web", "high", "blue"),
          new Case("the first rule wins", "team: blue, tier: web", "low", "skipped"),
          new Case("a rule may look at the class alone", "", "low", "rest"),
          new Case("nothing matches", "team: green", "", "none"));

  @ParameterizedTest
  @FieldSource("PODS")
  void firstMatchingRuleApplies(Case c) {
    assertThat(target(QueueMappingFile.read(FILE), pod(c.labels(), c.priorityClass())))
        .isEqualTo(c.want());
  }

  @Test
  void labelValuesBecomeRules() {
    var mapping = QueueMapping.byLabel("team", new TreeMap<>(Map.of("red", "r", "blue", "b")));

    assertThat(target(mapping, pod("team: blue", ""))).isEqualTo("b");
    assertThat(target(mapping, pod("team: green", ""))).isEqualTo("none");
    assertThat(target(mapping, pod("", ""))).isEqualTo("none");
  }

  record Wrong(String yaml, String want) {}

  static final List<Wrong> WRONG =
      List.of(
          new Wrong("", "is not one list of rules"),
          new Wrong("[]", "is not one list of rules"),
          new Wrong("red: queue", "is not one list of rules"),
          new Wrong("- red", "[0]: is not an object with match"),
          new Wrong("- match: {}", "[0].toLocalQueue: is missing; name a LocalQueue"),
          new Wrong("- {skip: true, toLocalQueue: q}", "[0].toLocalQueue: has no effect beside"),
          new Wrong("- {toLocalQueue: Q_1}", "[0].toLocalQueue: \"Q_1\" is no name of"),
          new Wrong(
              "- {match: {labels: {a: 1}}, toLocalQueue: q}",
              "[0].match.labels.a: 1 is not a text; put it in quotes"),
          new Wrong(
              "- {match: {label: {a: b}}, toLocalQueue: q}",
              "[0].match.label: has no effect: there is no such field; did you mean labels?"),
          new Wrong(
              "- {match: {resources: [cpu]}, toLocalQueue: q}",
              "[0].match.resources: has no effect: there is no such field"));

  @ParameterizedTest
  @FieldSource("WRONG")
  void invalidFileIsRefused(Wrong c) {
    assertThatThrownBy(() -> QueueMappingFile.read(c.yaml()))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining(c.want());
  }
}
