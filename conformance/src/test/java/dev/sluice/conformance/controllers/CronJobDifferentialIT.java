package dev.sluice.conformance.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.ApiClient;
import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.controllers.jobs.CronJobController;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * CronJobs and their Jobs, compared with the real controller.
 *
 * <p>Schedules are yearly, and the past is written into the status, so that the test need not wait
 * for a clock: only on the first two days of a year it would see other Jobs.
 */
@RequiresKubernetes(RealKubernetes.Part.CONTROLLER_MANAGER)
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class CronJobDifferentialIT extends ComparedControllers {
  private static final String BATCH = "/apis/batch/v1/namespaces/" + NAMESPACE;

  private final int year = Year.now(ZoneOffset.UTC).getValue();

  CronJobDifferentialIT(RealKubernetes kubernetes, @TempDir Path folder) throws IOException {
    super(kubernetes, folder, ours -> List.of(new CronJobController(ours)));
  }

  /** The Job for a time of this year; its name ends with the minutes since 1970. */
  private String job(String cronJob, String time) {
    return cronJob + "-" + Instant.parse(year + time).getEpochSecond() / 60;
  }

  private static String cronJob(String name, String spec) {
    return """
    apiVersion: batch/v1
    kind: CronJob
    metadata: {name: %s}
    spec:
      schedule: "0 0 1 1 *"
      jobTemplate:
        metadata: {labels: {a: b}}
        spec:
          managedBy: example.com/nobody
          template:
            spec: {restartPolicy: Never, containers: [{name: m, image: i}]}
      %s
    """
        .formatted(name, spec);
  }

  private void create(String name, String spec) {
    both("POST", BATCH + "/cronjobs", cronJob(name, spec));
  }

  private void patch(String cronJob, String changes) {
    both("PATCH", BATCH + "/cronjobs/" + cronJob, changes);
  }

  /** Makes a CronJob believe that it ran for the last time in the middle of last year. */
  private void lapse(String cronJob) {
    both(
        "PATCH",
        BATCH + "/cronjobs/" + cronJob + "/status",
        "{status: {lastScheduleTime: '%d-06-01T00:00:00Z'}}".formatted(year - 1));
  }

  private void finish(String job, String condition) {
    boolean failed = condition.equals("Failed");
    String first = failed ? "FailureTarget" : "SuccessCriteriaMet";
    String status =
        """
        status:
          startTime: "YEAR-01-01T00:00:01Z"
          %s
          conditions:
          - {type: %s, status: "True", lastTransitionTime: "YEAR-01-01T00:00:02Z"}
          - {type: %s, status: "True", lastTransitionTime: "YEAR-01-01T00:00:02Z"}
        """
            .formatted(
                failed ? "failed: 1" : "succeeded: 1\n  completionTime: \"YEAR-01-01T00:00:02Z\"",
                first,
                condition)
            .replace("YEAR", String.valueOf(year));
    both("PATCH", BATCH + "/jobs/" + job + "/status", status);
  }

  /** The outcome of a CronJob: its status, its Jobs and its events. */
  private static String picture(ApiClient client, String name) {
    Tree cronJob = send(client, "GET", BATCH + "/cronjobs/" + name, "").body();
    var lines = new ArrayList<String>();
    Tree status = cronJob.tree("status");
    lines.add("last " + status.text("lastScheduleTime"));
    lines.add("success " + status.text("lastSuccessfulTime"));
    status
        .trees("active")
        .forEach(active ->
            lines.add("active %s %s".formatted(active.text("kind"), active.text("name"))));
    for (Tree job : send(client, "GET", BATCH + "/jobs", "").body().trees("items")) {
      String owner = job.at("metadata", "ownerReferences").toString();
      if (owner.contains("\"" + name + "\"")) {
        String facts = owner.replaceAll("\"uid\":\"[^\"]*\"", "");
        Tree metadata = job.tree("metadata");
        lines.add(
            "job %s %s %s %s"
                .formatted(
                    metadata.text("name"),
                    metadata.at("labels"),
                    metadata.at("annotations"),
                    facts));
      }
    }
    lines.addAll(told(client, name));
    return String.join("\n", lines);
  }

  /** Waits until Kubernetes shows what it must, and then for us to show the same. */
  private void becomes(String name, String... parts) {
    Eventually.holds(
        "Kubernetes: " + String.join(", ", parts),
        () -> {
          String picture = picture(servers.real, name);
          return List.of(parts).stream().allMatch(picture::contains);
        });
    String want = picture(servers.real, name);
    try {
      Eventually.holds(
          "the same from us",
          () -> picture(servers.ours, name).equals(picture(servers.real, name)));
    } catch (AssertionError different) {
      assertThat(picture(servers.ours, name)).isEqualTo(want);
      throw different;
    }
  }

  @Test
  void cronJobsAreRefusedAlike() {
    for (String spec :
        List.of(
            "schedule: '* * * * 7'",
            "schedule: '*/0 * * * *'",
            "schedule: ''",
            "schedule: '* * * *'",
            "schedule: '@reboot'",
            "schedule: 'TZ=UTC * * * * *'",
            "schedule: '1-2-3 * * * *'",
            "timeZone: Mars/Base",
            "timeZone: local",
            "timeZone: ''",
            "concurrencyPolicy: Maybe",
            "startingDeadlineSeconds: -1",
            "successfulJobsHistoryLimit: -1",
            "{failedJobsHistoryLimit: -1, timeZone: ../x}")) {
      Tree changed = Yaml.parseAll(cronJob("refused", "")).getFirst().asTree();
      Tree changes = Yaml.parseAll(spec).getFirst().asTree();
      for (String field : changes.names()) {
        changed = changed.with(List.of("spec", field), changes.at(field));
      }
      both("POST", BATCH + "/cronjobs", Json.write(changed));
    }
    create("a".repeat(53), "");
  }

  @Test
  void jobsAreStartedAndCounted() {
    create("late", "suspend: true\n  timeZone: America/New_York");
    lapse("late");
    patch("late", "{spec: {suspend: false}}");
    String midnightInNewYork = job("late", "-01-01T05:00:00Z");
    becomes("late", "SuccessfulCreate", "active Job " + midnightInNewYork);
    finish(midnightInNewYork, "Complete");
    becomes("late", "SawCompletedJob", "success " + year);
    patch("late", "{spec: {successfulJobsHistoryLimit: 0}}");
    becomes("late", "SuccessfulDelete");

    create("deadline", "suspend: true\n  startingDeadlineSeconds: 10");
    lapse("deadline");
    patch("deadline", "{spec: {suspend: false}}");

    create("lost", "suspend: true");
    lapse("lost");
    patch("lost", "{spec: {suspend: false}}");
    String lost = job("lost", "-01-01T00:00:00Z");
    becomes("lost", "active Job " + lost);
    both("DELETE", BATCH + "/jobs/" + lost + "?propagationPolicy=Background", "");
    becomes("lost", "MissingJob");
    becomes("deadline", "last " + (year - 1));
  }

  @Test
  void concurrencyPolicyDecidesAboutTheNextJob() {
    for (String policy : List.of("Forbid", "Replace", "Allow")) {
      String name = policy.toLowerCase(Locale.ROOT);
      create(name, "suspend: true\n  failedJobsHistoryLimit: 0\n  concurrencyPolicy: " + policy);
      lapse(name);
      patch(name, "{spec: {suspend: false}}");
      becomes(name, "active Job " + job(name, "-01-01T00:00:00Z"));
      patch(name, "{spec: {suspend: true}}");
      patch(name, "{spec: {schedule: '0 0 2 1 *'}}");
      patch(name, "{spec: {suspend: false}}");
      String next = job(name, "-01-02T00:00:00Z");
      becomes(name, policy.equals("Forbid") ? "JobAlreadyActive" : next);
    }
    finish(job("forbid", "-01-01T00:00:00Z"), "Failed");
    becomes("forbid", "active Job " + job("forbid", "-01-02T00:00:00Z"), "SuccessfulDelete");
  }
}
