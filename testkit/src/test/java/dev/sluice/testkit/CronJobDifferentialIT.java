package dev.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.housekeeping.PodCollector;
import dev.sluice.controllers.jobs.CronJobController;
import dev.sluice.controllers.nodes.TaintEviction;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.LiveDriver;
import dev.sluice.testkit.ApiClient.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same requests to Kubernetes with its controllers and to our server with ours: both must
 * refuse alike, and come to the same objects and events.
 *
 * <p>Schedules are yearly, and the past is written into the status, so that nobody waits for a
 * clock: on New Year's Eve this test would see one Job more.
 */
@RequiresKubernetes(RealKubernetes.Part.CONTROLLER_MANAGER)
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class CronJobDifferentialIT {
  private static final String NAMESPACE = "/api/v1/namespaces/clock";
  private static final String BATCH = "/apis/batch/v1/namespaces/clock";
  private static final String LAST_YEAR = "2025-06-01T00:00:00Z";

  private final EmbeddedServer embedded;
  private final LiveDriver driver;
  private final ApiClient ours;
  private final ApiClient real;

  CronJobDifferentialIT(RealKubernetes kubernetes, @TempDir Path folder) throws IOException {
    this.embedded = new EmbeddedServer(folder);
    var cluster = embedded.cluster();
    this.driver =
        new LiveDriver(
            cluster,
            List.of(
                new CronJobController(cluster),
                new TaintEviction(cluster),
                new PodCollector(cluster)));
    driver.start();
    this.ours = new ApiClient(embedded.kubeconfig());
    this.real = new ApiClient(kubernetes.kubeconfig());
    both(
        "POST", "/api/v1/namespaces", "{apiVersion: v1, kind: Namespace, metadata: {name: clock}}");
  }

  @AfterAll
  void close() {
    driver.close();
    ours.close();
    real.close();
    embedded.close();
  }

  private static Answer send(ApiClient client, String method, String path, String yaml) {
    boolean patch = method.equals("PATCH");
    String body = yaml.isEmpty() ? "" : Json.write(Yaml.parseAll(yaml).getFirst());
    return client.send(
        method, path, patch ? "application/merge-patch+json" : "application/json", body);
  }

  /** Sends a request to both, which must give it the same code and find the same faults in it. */
  private void both(String method, String path, String yaml) {
    Answer expected = send(real, method, path, yaml);
    Answer answered = send(ours, method, path, yaml);

    String what = "%s %s %s: %s".formatted(method, path, yaml, expected.body());
    assertThat(answered.code()).as(what).isEqualTo(expected.code());
    if (expected.code() >= 300) {
      assertThat(causes(answered)).as(what).isEqualTo(causes(expected));
    }
  }

  private static Set<String> causes(Answer answer) {
    var causes = new TreeSet<String>();
    for (Tree cause : answer.body().trees("details", "causes")) {
      causes.add(cause.text("field") + ": " + cause.text("message"));
    }
    return causes;
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
        "{status: {lastScheduleTime: '%s'}}".formatted(LAST_YEAR));
  }

  private void finish(String job, String condition) {
    boolean failed = condition.equals("Failed");
    String first = failed ? "FailureTarget" : "SuccessCriteriaMet";
    String status =
        """
        status:
          startTime: "2026-01-01T00:00:01Z"
          %s
          conditions:
          - {type: %s, status: "True", lastTransitionTime: "2026-01-01T00:00:02Z"}
          - {type: %s, status: "True", lastTransitionTime: "2026-01-01T00:00:02Z"}
        """
            .formatted(
                failed ? "failed: 1" : "succeeded: 1\n  completionTime: \"2026-01-01T00:00:02Z\"",
                first,
                condition);
    both("PATCH", BATCH + "/jobs/" + job + "/status", status);
  }

  /** What became of a CronJob: its status, its Jobs and what was told of it. */
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

  private static Set<String> told(ApiClient client, String name) {
    var told = new TreeSet<String>();
    for (Tree event : send(client, "GET", NAMESPACE + "/events", "").body().trees("items")) {
      if (event.text("involvedObject", "name").equals(name)) {
        told.add(
            "%s %s: %s by %s"
                .formatted(
                    event.text("type"),
                    event.text("reason"),
                    event.text("message"),
                    event.text("source", "component")));
      }
    }
    return told;
  }

  /** Waits until Kubernetes shows what it must, and then for us to show the same. */
  private void becomes(String name, String... parts) {
    Eventually.holds(
        "Kubernetes: " + String.join(", ", parts),
        () -> {
          String picture = picture(real, name);
          return List.of(parts).stream().allMatch(picture::contains);
        });
    String want = picture(real, name);
    try {
      Eventually.holds("the same from us", () -> picture(ours, name).equals(picture(real, name)));
    } catch (AssertionError different) {
      assertThat(picture(ours, name)).isEqualTo(want);
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
    becomes("late", "SuccessfulCreate", "active Job late-29454060");
    finish("late-29454060", "Complete");
    becomes("late", "SawCompletedJob", "success 2026");
    patch("late", "{spec: {successfulJobsHistoryLimit: 0}}");
    becomes("late", "SuccessfulDelete");

    create("deadline", "suspend: true\n  startingDeadlineSeconds: 10");
    lapse("deadline");
    patch("deadline", "{spec: {suspend: false}}");

    create("lost", "suspend: true");
    lapse("lost");
    patch("lost", "{spec: {suspend: false}}");
    becomes("lost", "active Job lost-29453760");
    both("DELETE", BATCH + "/jobs/lost-29453760?propagationPolicy=Background", "");
    becomes("lost", "MissingJob");
    becomes("deadline", "last 2025");
  }

  @Test
  void oneAfterTheOther() {
    for (String policy : List.of("Forbid", "Replace", "Allow")) {
      String name = policy.toLowerCase(Locale.ROOT);
      create(name, "suspend: true\n  failedJobsHistoryLimit: 0\n  concurrencyPolicy: " + policy);
      lapse(name);
      patch(name, "{spec: {suspend: false}}");
      becomes(name, "active Job %s-29453760".formatted(name));
      patch(name, "{spec: {suspend: true}}");
      patch(name, "{spec: {schedule: '0 0 2 1 *'}}");
      patch(name, "{spec: {suspend: false}}");
      becomes(name, policy.equals("Forbid") ? "JobAlreadyActive" : name + "-29455200");
    }
    finish("forbid-29453760", "Failed");
    becomes("forbid", "active Job forbid-29455200", "SuccessfulDelete");
  }

  @Test
  void aTaintDrivesPodsAway() {
    both("POST", "/api/v1/nodes", "{apiVersion: v1, kind: Node, metadata: {name: tainted}}");
    for (String pod : List.of("weak", "strong", "short")) {
      String seconds = pod.equals("short") ? ", effect: NoExecute, tolerationSeconds: 1" : "";
      String tolerations =
          pod.equals("weak") ? "[]" : "[{key: k, operator: Exists" + seconds + "}]";
      both(
          "POST",
          NAMESPACE + "/pods",
          """
          apiVersion: v1
          kind: Pod
          metadata: {name: %s}
          spec: {nodeName: tainted, tolerations: %s, containers: [{name: c, image: i}]}
          """
              .formatted(pod, tolerations));
    }
    both("PATCH", "/api/v1/nodes/tainted", "{spec: {taints: [{key: k, effect: NoExecute}]}}");
    for (String pod : List.of("weak", "short", "strong")) {
      boolean goes = !pod.equals("strong");
      Eventually.holds(
          "Kubernetes deletes " + pod, () -> podPicture(real, pod).contains("going") == goes);
      Eventually.holds(
          "the same from us: " + podPicture(real, pod),
          () -> podPicture(ours, pod).equals(podPicture(real, pod)));
    }
  }

  private static String podPicture(ApiClient client, String name) {
    Tree pod = send(client, "GET", NAMESPACE + "/pods/" + name, "").body();
    var conditions = new TreeSet<String>();
    for (Tree condition : pod.trees("status", "conditions")) {
      if (condition.text("type").equals("DisruptionTarget")) {
        conditions.add(condition.text("reason") + ": " + condition.text("message"));
      }
    }
    String going = pod.tree("metadata").has("deletionTimestamp") ? "going" : "staying";
    return "%s %s %s %s"
        .formatted(going, pod.at("spec", "tolerations"), conditions, told(client, name));
  }
}
