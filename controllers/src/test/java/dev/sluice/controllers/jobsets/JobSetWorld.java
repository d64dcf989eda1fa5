package dev.sluice.controllers.jobsets;

import static dev.sluice.testkit.Worlds.pass;
import static dev.sluice.testkit.Worlds.yaml;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.Ownership;
import dev.sluice.model.jobset.JobSet;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;

/** A world with the controller of JobSets and one JobSet, {@code s}. */
final class JobSetWorld implements AutoCloseable {
  static final ObjectKey KEY = Kinds.JOB_SET.key("default", "s");

  final FakeCluster cluster = new FakeCluster(1);
  boolean collectorStopped;
  private VirtualDriver driver = Worlds.driver(cluster, 1, List.of(new JobSetController(cluster)));

  /** Creates the JobSet as the API server would, with its defaults. */
  JobSet add(String spec) {
    var rules = new JobSetRules(cluster);
    ApiObject asked =
        yaml(
            """
            apiVersion: jobset.x-k8s.io/v1alpha2
            kind: JobSet
            metadata: {name: s, namespace: default}
            spec:
            %s\
            """
                .formatted(spec.indent(2)));
    ApiObject complete = rules.onCreate(asked);
    rules.checkCreate(complete);
    var set = new JobSet(cluster.create(Kinds.JOB_SET, complete));
    settle();
    return set;
  }

  JobSet now() {
    return new JobSet(cluster.require(KEY));
  }

  void suspend(boolean suspended) {
    cluster.update(Kinds.JOB_SET, now().withSuspend(suspended).object());
    settle();
  }

  List<String> jobs() {
    return cluster.list(Kinds.JOB).stream()
        .filter(job -> !job.isDeleting())
        .map(ApiObject::name)
        .toList();
  }

  Job job(String name) {
    return Worlds.job(cluster, name);
  }

  /** Lets a Job have an active pod that is ready. */
  void ready(String name) {
    status(name, job(name).status().withStarted(cluster.time().now()).withLiving(1, 1, 0));
  }

  void complete(String name) {
    finish(name, JobStatus.COMPLETE, "", "");
  }

  void fail(String name, String reason, String message) {
    finish(name, JobStatus.FAILED, reason, message);
  }

  private void finish(String name, String type, String reason, String message) {
    var condition = new Condition(type, true, reason, message);
    status(
        name,
        job(name).status().withLiving(0, 0, 0).withCondition(condition, cluster.time().now()));
  }

  private void status(String name, JobStatus status) {
    cluster.patchStatus(Kinds.JOB, job(name).object(), status.tree());
    settle();
  }

  /** A condition of the JobSet in short: its status and reason; empty if it has none. */
  String condition(String type) {
    return Condition.find(now().object().status(), type)
        .map(found -> found.text("status") + " " + found.text("reason"))
        .orElse("");
  }

  String message(String type) {
    return Condition.find(now().object().status(), type).orElse(Tree.EMPTY).text("message");
  }

  List<String> events() {
    return Worlds.reasons(cluster, "s");
  }

  void wait(Duration time) {
    pass(driver, cluster, time);
  }

  /** Lets the controller act, and then the garbage collector, until nothing is left to do. */
  void settle() {
    driver.settle();
    List<ApiObject> collected =
        cluster.list(Kinds.JOB).stream().filter(this::waitsForCollector).toList();
    collected.forEach(job -> cluster.update(Kinds.JOB, job.withoutFinalizer(Ownership.FOREGROUND)));
    if (!collected.isEmpty()) {
      settle();
    }
  }

  private boolean waitsForCollector(ApiObject job) {
    return job.isDeleting() && !collectorStopped && job.hasFinalizer(Ownership.FOREGROUND);
  }

  /** Stops the controller, and starts a new one that knows nothing. */
  void restartController() {
    driver.close();
    driver = Worlds.driver(cluster, 2, List.of(new JobSetController(cluster)));
    settle();
  }

  @Override
  public void close() {
    driver.close();
  }
}
