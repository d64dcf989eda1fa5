package dev.sluice.apiserver.registry.rules.batch;

import static dev.sluice.apiserver.registry.World.refused;
import static dev.sluice.model.Kinds.CRON_JOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.World;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class CronJobTest {
  private final World world = new World();

  private static Tree cronJob(String name, String spec) {
    Tree base =
        World.yaml(
            """
            apiVersion: batch/v1
            kind: CronJob
            metadata: {name: %s}
            spec:
              schedule: "0 * * * *"
              jobTemplate:
                spec:
                  template:
                    spec:
                      restartPolicy: Never
                      containers: [{name: main, image: "busybox:1.36"}]
            """
                .formatted(name));
    return MergePatch.apply(base, Tree.of("spec", World.yaml(spec)));
  }

  @Test
  void missingFieldsAreDefaultedButNotInTheJobTemplate() {
    ApiObject created = world.create(CRON_JOB, cronJob("c", "{}"));

    Tree spec = created.spec();
    assertThat(spec.text("concurrencyPolicy")).isEqualTo("Allow");
    assertThat(spec.at("suspend")).hasToString("false");
    assertThat(spec.whole("successfulJobsHistoryLimit")).hasValue(3);
    assertThat(spec.whole("failedJobsHistoryLimit")).hasValue(1);
    assertThat(spec.tree("jobTemplate", "spec").names()).containsExactly("template");
    assertThat(spec.text("jobTemplate", "spec", "template", "spec", "dnsPolicy"))
        .isEqualTo("ClusterFirst");
    assertThat(created.generation()).isEqualTo(1);
  }

  @Test
  void theStatusIsItsOwn() {
    ApiObject created = world.create(CRON_JOB, cronJob("c", "{}"));
    Tree status = Tree.of("lastScheduleTime", "2026-01-01T00:00:00Z");
    ApiObject changed = world.updateStatus(CRON_JOB, created.withStatus(status));

    assertThat(changed.status()).isEqualTo(status);
    assertThat(changed.generation()).isEqualTo(1);
    assertThat(world.update(CRON_JOB, changed.withStatus(Tree.EMPTY)).status()).isEqualTo(status);
  }

  record Case(String name, String spec, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> REFUSED =
      List.of(
          new Case("no schedule", "{schedule: null}", "spec.schedule: Required value"),
          new Case(
              "a bad schedule",
              "{schedule: '* * * * 7'}",
              "spec.schedule: Invalid value: \"* * * * 7\": end of range (7) above maximum (6): 7"),
          new Case(
              "a zone in the schedule",
              "{schedule: 'TZ=UTC 0 0 * * *'}",
              "spec.schedule: Invalid value: \"TZ=UTC 0 0 * * *\": cannot use TZ or CRON_TZ in"
                  + " schedule, use timeZone field instead"),
          new Case(
              "an empty zone",
              "{timeZone: ''}",
              "spec.timeZone: Invalid value: \"\": timeZone must be nil or non-empty string"),
          new Case(
              "an unknown zone",
              "{timeZone: Mars/Base}",
              "spec.timeZone: Invalid value: \"Mars/Base\": unknown time zone Mars/Base"),
          new Case(
              "a zone that is a path",
              "{timeZone: ../../etc/passwd}",
              "spec.timeZone: Invalid value: \"../../etc/passwd\": unknown time zone"
                  + " ../../etc/passwd"),
          new Case(
              "the zone of the machine",
              "{timeZone: Local}",
              "spec.timeZone: Invalid value: \"Local\": timeZone must be an explicit time zone as"
                  + " defined in https://www.iana.org/time-zones"),
          new Case(
              "a negative deadline",
              "{startingDeadlineSeconds: -1}",
              "spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to"
                  + " 0"),
          new Case(
              "another policy",
              "{concurrencyPolicy: Maybe}",
              "spec.concurrencyPolicy: Unsupported value: \"Maybe\": supported values: \"Allow\","
                  + " \"Forbid\", \"Replace\""),
          new Case(
              "a negative limit",
              "{failedJobsHistoryLimit: -1}",
              "spec.failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0"),
          new Case(
              "pods that always restart",
              "{jobTemplate: {spec: {template: {spec: {restartPolicy: Always}}}}}",
              "spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values:"
                  + " \"OnFailure\", \"Never\""),
          new Case(
              "a negative parallelism",
              "{jobTemplate: {spec: {parallelism: -1}}}",
              "spec.jobTemplate.spec.parallelism: Invalid value: -1: must be greater than or equal"
                  + " to 0"),
          new Case(
              "a selector",
              "{jobTemplate: {spec: {selector: {matchLabels: {a: b}}}}}",
              "`selector` will be auto-generated"),
          new Case(
              "a selector by hand",
              "{jobTemplate: {spec: {manualSelector: true}}}",
              "spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values:"
                  + " \"nil\", \"false\""));

  @ParameterizedTest
  @FieldSource("REFUSED")
  void isRefused(Case c) {
    ApiFailure refused =
        refused(Reason.INVALID, () -> world.create(CRON_JOB, cronJob("c", c.spec())));

    assertThat(refused.message()).contains(c.want());
    assertThat(refused.causes()).hasSize(1);
  }

  @Test
  void aNameMustLeaveRoomForThatOfItsJobs() {
    world.create(CRON_JOB, cronJob("a".repeat(52), "{}"));
    ApiFailure refused =
        refused(Reason.INVALID, () -> world.create(CRON_JOB, cronJob("a".repeat(53), "{}")));

    assertThat(refused.message()).contains("must be no more than 52 characters");
  }

  @Test
  void labelsThatJobsAreGivenMayStandInTheTemplate() {
    String labels =
        "{jobTemplate: {spec: {template: {metadata: {labels: {job-name: x, app: y}}}}}}";

    assertThat(world.create(CRON_JOB, cronJob("c", labels)).name()).isEqualTo("c");
  }

  @Test
  void itsJobsGoWithIt() {
    world.create(CRON_JOB, cronJob("c", "{}"));

    assertThat(world.delete(CRON_JOB, "c").gone()).isTrue();
  }
}
