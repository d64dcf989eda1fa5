package dev.sluice.controllers.jobs;

import static dev.sluice.testkit.Worlds.pass;
import static dev.sluice.testkit.Worlds.yaml;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.batch.CronJob;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.Event;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/** A world with the controller of CronJobs and one CronJob, {@code c}. */
final class CronWorld implements AutoCloseable {
  static final ObjectKey KEY = Kinds.CRON_JOB.key("default", "c");
  static final Duration MINUTE = Duration.ofMinutes(1);

  /** The minute with which the world of the tests begins, as names of Jobs have it. */
  private static final long FIRST = FakeCluster.START.getEpochSecond() / 60;

  final FakeCluster cluster = new FakeCluster(1);
  private final VirtualDriver driver =
      Worlds.driver(cluster, 1, List.of(new CronJobController(cluster)));

  CronJob add(String schedule, UnaryOperator<Tree> spec) {
    ApiObject object =
        yaml(
            """
            apiVersion: batch/v1
            kind: CronJob
            metadata: {name: c, namespace: default}
            spec:
              schedule: "%s"
              jobTemplate:
                metadata: {labels: {a: b}, annotations: {d: e}}
                spec: {template: {spec: {restartPolicy: Never, containers: [{name: m, image: i}]}}}
            """
                .formatted(schedule));
    return new CronJob(cluster.create(Kinds.CRON_JOB, object.withSpec(spec.apply(object.spec()))));
  }

  CronJob now() {
    return new CronJob(cluster.require(KEY));
  }

  void change(UnaryOperator<Tree> spec) {
    ApiObject object = cluster.require(KEY);
    cluster.update(Kinds.CRON_JOB, object.withSpec(spec.apply(object.spec())));
  }

  void setStatus(String field, Object value) {
    ApiObject object = cluster.require(KEY);
    cluster.patchStatus(Kinds.CRON_JOB, object, object.status().with(field, value));
  }

  void wait(Duration time) {
    pass(driver, cluster, time);
  }

  List<String> jobs() {
    return cluster.list(Kinds.JOB).stream().map(ApiObject::name).toList();
  }

  /** The name of the Job of a minute. */
  static String job(long minute) {
    return "c-" + (FIRST + minute);
  }

  void finish(String name, String condition) {
    Job job = Worlds.job(cluster, name);
    Instant moment = cluster.time().now();
    JobStatus status =
        job.status()
            .withStarted(moment)
            .withCompleted(moment)
            .withCondition(new Condition(condition, true, "", ""), moment);
    cluster.patchStatus(Kinds.JOB, job.object(), status.tree());
    driver.settle();
  }

  List<String> messages(String reason) {
    return cluster.list(Kinds.EVENT).stream()
        .map(Event::new)
        .filter(event -> event.reason().equals(reason))
        .map(Event::message)
        .toList();
  }

  void settle() {
    driver.settle();
  }

  @Override
  public void close() {
    driver.close();
  }
}
