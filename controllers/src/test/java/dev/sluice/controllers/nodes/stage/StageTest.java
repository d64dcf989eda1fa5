package dev.sluice.controllers.nodes.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.Worlds;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class StageTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final Tree POD =
      tree(
          """
          metadata:
            name: p
            labels: {app: a}
            annotations: {delay: 7s, past: -3s, at: "2030-01-01T00:00:09Z", none: "", word: soon, weight: "5", bad: x}
          status: {phase: Pending, ready: true, restarts: 1, conditions: [{type: Ready, status: "False"}]}
          """);

  private final SplittableRandom random = new SplittableRandom(1);

  private Moment moment() {
    return new Moment(NOW, NOW, random);
  }

  private static Tree tree(String yaml) {
    return Yaml.parseAll(yaml).getFirst().asTree();
  }

  private static StageReader.Read read(String name, String spec) {
    return StageReader.read(
        Worlds.yaml(
            """
            apiVersion: kwok.x-k8s.io/v1alpha1
            kind: Stage
            metadata: {name: %s}
            spec: {resourceRef: {kind: Pod}, %s}
            """
                .formatted(name, spec)),
        new TreeMap<>());
  }

  private static Stage stage(String name, String spec) {
    StageReader.Read read = read(name, spec);
    assertThat(read.problems().causes()).isEmpty();
    return read.stage();
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
    var stages = new java.util.ArrayList<Stage>();
    for (String spec : c.specs()) {
      stages.add(stage("s" + stages.size(), "selector: {}, " + spec));
    }
    var chosen = new java.util.TreeSet<String>();
    for (int i = 0; i < 200; i++) {
      chosen.add(Stage.next(stages, POD, moment()).orElseThrow().name().substring(1));
    }

    assertThat(chosen).containsExactlyElementsOf(c.possible());
  }

  record Patched(String name, String step, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Patched> PATCHES =
      List.of(
          new Patched(
              "strategic by default: conditions merge by type",
              "root: status, template: 'conditions: [{type: Ready, status: \"True\"}, {type: B,"
                  + " status: \"True\"}]'",
              "[{\"status\":\"True\",\"type\":\"Ready\"},{\"status\":\"True\",\"type\":\"B\"}]"),
          new Patched(
              "a merge patch replaces lists",
              "root: status, type: merge, template: 'conditions: [{type: B}]'",
              "[{\"type\":\"B\"}]"),
          new Patched(
              "a JSON patch",
              "type: json, template: '[{op: add, path: /status/conditions/-, value: {type: {{"
                  + " .metadata.name | Quote }}}}]'",
              "[{\"status\":\"False\",\"type\":\"Ready\"},{\"type\":\"p\"}]"),
          new Patched("null removes", "template: 'status: {conditions: null}'", "null"),
          new Patched(
              "an element that is to go",
              "root: status, template: 'conditions: [{type: Ready, $patch: delete}]'",
              "[]"),
          new Patched(
              "an empty template changes nothing",
              "root: status, template: '{{ if false }}x{{ end }}'",
              "[{\"status\":\"False\",\"type\":\"Ready\"}]"));

  @ParameterizedTest
  @FieldSource("PATCHES")
  void patches(Patched c) {
    Stage stage = stage("s", "steps: [{patch: {%s}}]".formatted(c.step()));

    Tree patched = ObjectPatch.apply(POD, (StageStep.Patch) stage.steps().getFirst());

    assertThat(Json.write(patched.at("status", "conditions"))).isEqualTo(c.want());
  }

  @Test
  void nextIsReadAsStepsInKwoksOrder() {
    Stage stage =
        stage(
            "s",
            "next: {delete: true, statusTemplate: 'phase: x', finalizers: {empty: true}, event:"
                + " {reason: r}}");

    assertThat(stage.steps())
        .extracting(step -> step.getClass().getSimpleName())
        .containsExactly("Announce", "Finalizers", "Patch", "Delete");
  }

  record Wrong(String spec, String field, String message) {}

  static final List<Wrong> WRONG =
      List.of(
          new Wrong("weight: -1", "spec.weight", "greater than or equal to 0"),
          new Wrong(
              "selector: {matchExpressions: [{key: .a, operator: Like}]}",
              "spec.selector.matchExpressions[0].operator",
              "\"In\", \"NotIn\", \"Exists\", \"DoesNotExist\""),
          new Wrong(
              "selector: {matchExpressions: [{key: .a, operator: In}]}",
              "spec.selector.matchExpressions[0].values",
              "must be specified"),
          new Wrong(
              "selector: {matchExpressions: [{jq: {key: '.a b', operator: Exists}}]}",
              "spec.selector.matchExpressions[0].jq.key",
              "it is no jq program"),
          new Wrong(
              "selector: {matchExpressions: [{cel: {expression: self.a +}}]}",
              "spec.selector.matchExpressions[0].cel.expression",
              "it is no CEL expression"),
          new Wrong(
              "delay: {durationFrom: {expressionFrom: 'now'}}",
              "spec.delay.durationFrom.expressionFrom",
              "may only look at the object"),
          new Wrong(
              "next: {statusTemplate: '{{ if }}'}",
              "spec.next.statusTemplate",
              "line 1: a value is missing"),
          new Wrong(
              "steps: [{patch: {template: '{{ Unknown }}'}}]",
              "spec.steps[0].patch.template",
              "function \"Unknown\" is not defined"),
          new Wrong(
              "steps: [{patch: {template: a, type: fancy}}]",
              "spec.steps[0].patch.type",
              "\"json\", \"merge\", \"strategic\""),
          new Wrong(
              "steps: [{apply: {template: a, type: json}}]",
              "spec.steps[0].apply.type",
              "\"apply\", \"merge\", \"strategic\""),
          new Wrong(
              "steps: [{event: {message: '{{ Unknown }}'}}]",
              "spec.steps[0].event.message",
              "is not defined"),
          new Wrong("next: {event: {message: '{{'}}", "spec.next.event.message", "no end"),
          new Wrong("steps: [{apply: {}}]", "spec.steps[0].apply.template", "Required value"),
          new Wrong(
              "steps: [{apply: {template: a, impersonation: {username: u}}}]",
              "spec.steps[0].apply.impersonation",
              "not supported"),
          new Wrong("steps: [{delete: true, event: {}}]", "spec.steps[0]", "exactly one of"),
          new Wrong(
              "next: {statusPatchAs: {username: u}}", "spec.next.statusPatchAs", "not supported"));

  @ParameterizedTest
  @FieldSource("WRONG")
  void saysWhatIsWrong(Wrong c) {
    List<Cause> causes = read("s", c.spec()).problems().causes();

    assertThat(causes).hasSize(1);
    assertThat(causes.getFirst().field()).isEqualTo(c.field());
    assertThat(causes.getFirst().message()).contains(c.message());
  }

  record Reference(String reference, String want, List<String> wrong) {}

  static final List<Reference> REFERENCES =
      List.of(
          new Reference("kind: Pod", "v1/Pod", List.of()),
          new Reference("apiGroup: batch/v1, kind: Job", "batch/v1/Job", List.of()),
          new Reference("apiGroup: v1", "v1/", List.of("spec.resourceRef.kind")),
          new Reference(
              "apiGroup: a/b/c, kind: Job", "a/b/c/Job", List.of("spec.resourceRef.apiGroup")));

  @ParameterizedTest
  @FieldSource("REFERENCES")
  void isForAnyKind(Reference c) {
    var object =
        Worlds.yaml(
            "{kind: Stage, metadata: {name: s}, spec: {resourceRef: {%s}}}"
                .formatted(c.reference()));

    var read = StageReader.read(object, new TreeMap<>());

    assertThat(read.stage().kind()).isEqualTo(c.want());
    assertThat(StageReader.kindOf(object)).isEqualTo(c.want());
    assertThat(read.problems().causes()).extracting(Cause::field).isEqualTo(c.wrong());
  }

  @Test
  void patchesOfOtherKindsReplaceListsUnlessTheySayOtherwise() {
    var object =
        Worlds.yaml(
            "{kind: Stage, metadata: {name: s}, spec: {resourceRef: {apiGroup: batch/v1, kind:"
                + " Job}, steps: [{patch: {root: status, template: 'conditions: [{type: B}]'}}]}}");
    Stage stage = StageReader.read(object, new TreeMap<>()).stage();

    Tree patched = ObjectPatch.apply(POD, (StageStep.Patch) stage.steps().getFirst());

    assertThat(Json.write(patched.at("status", "conditions"))).isEqualTo("[{\"type\":\"B\"}]");
  }
}
