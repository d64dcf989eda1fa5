package dev.sluice.controllers.nodes.stage;

import static dev.sluice.controllers.nodes.stage.SampleStages.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.testkit.Worlds;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What is said of stages that cannot be read, and for what kinds they are. */
class StageReaderTest {

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
              "steps: [{apply: {template: a, impersonation: {}}}]",
              "spec.steps[0].apply.impersonation.username",
              "Required value: leave out impersonation"),
          new Wrong(
              "steps: [{patch: {template: a, impersonation: {username: \"a\\r\\nb\"}}}]",
              "spec.steps[0].patch.impersonation.username",
              "printable ASCII"),
          new Wrong("steps: [{delete: true, event: {}}]", "spec.steps[0]", "exactly one of"),
          new Wrong(
              "next: {statusPatchAs: {username: ''}}",
              "spec.next.statusPatchAs.username",
              "Required value: leave out statusPatchAs"));

  @ParameterizedTest
  @FieldSource("WRONG")
  void saysWhatIsWrong(Wrong c) {
    List<Cause> causes = read("s", c.spec()).problems().causes();

    assertThat(causes).hasSize(1);
    assertThat(causes.getFirst().field()).isEqualTo(c.field());
    assertThat(causes.getFirst().message()).contains(c.message());
  }

  @Test
  void mayWriteInTheNameOfOthers() {
    var read =
        read(
            "s",
            "steps: [{patch: {template: a, impersonation: {username: alice}}}, {apply: {template: a,"
                + " impersonation: {username: 'system:node:n'}}}, {patch: {template: a}}]");
    var older = read("s", "next: {statusTemplate: a, statusPatchAs: {username: alice}}");

    assertThat(users(read.stage())).containsExactly("alice", "system:node:n", "");
    assertThat(users(older.stage())).containsExactly("alice");
  }

  private static List<String> users(Stage stage) {
    return stage.steps().stream()
        .map(step ->
            switch (step) {
              case StageStep.Patch patch -> patch.user();
              case StageStep.Apply apply -> apply.user();
              case StageStep.Announce _, StageStep.Finalizers _, StageStep.Delete _ -> "";
            })
        .toList();
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

    assertThat(StageReader.kindOf(object)).isEqualTo(c.want());
    assertThat(read.problems().causes()).extracting(Cause::field).isEqualTo(c.wrong());
  }
}
