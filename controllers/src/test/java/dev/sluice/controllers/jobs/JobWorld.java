package dev.sluice.controllers.jobs;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.Timestamps;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobPod;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;

/** A world with the controllers of Jobs and one Job, {@code j}, and what tests do to its pods. */
final class JobWorld implements AutoCloseable {
  final FakeCluster cluster = new FakeCluster(1);
  final JobController controller = new JobController(cluster);
  private VirtualDriver driver = start(controller);

  private VirtualDriver start(JobController jobs) {
    return Worlds.driver(cluster, 1, List.of(jobs, new TtlAfterFinished(cluster)));
  }

  /** Goes on with a controller that knows nothing but the objects. */
  void restart() {
    driver.close();
    driver = start(new JobController(cluster));
  }

  /** Submits a Job whose spec is changed by some YAML. */
  Job submit(String spec) {
    cluster.create(Kinds.JOB, Worlds.job("j", base -> changed(base, spec)));
    driver.settle();
    return job();
  }

  private static Tree changed(Tree base, String yaml) {
    return MergePatch.apply(base, Yaml.parseAll(yaml).getFirst().asTree());
  }

  void change(String spec) {
    ApiObject object = job().object();
    cluster.update(Kinds.JOB, object.withSpec(changed(object.spec(), spec)));
    driver.settle();
  }

  Job job() {
    return Worlds.job(cluster, "j");
  }

  JobStatus status() {
    return job().status();
  }

  /** The reason of a condition that holds, empty if it does not. */
  String reason(String condition) {
    return status()
        .condition(condition)
        .filter(found -> found.text("status").equals("True"))
        .map(found -> found.text("reason"))
        .orElse("");
  }

  String message(String condition) {
    return status().condition(condition).map(found -> found.text("message")).orElse("");
  }

  List<Pod> pods() {
    return Worlds.pods(cluster);
  }

  List<Pod> active() {
    return pods().stream().filter(Pod::isActive).toList();
  }

  /** The indexes of active pods, sorted. */
  List<Long> activeIndexes() {
    return active().stream().map(pod -> new JobPod(pod).index().orElseThrow()).sorted().toList();
  }

  Pod active(long index) {
    return active().stream()
        .filter(pod -> new JobPod(pod).index().orElse(-1) == index)
        .findFirst()
        .orElseThrow();
  }

  void succeed(long... indexes) {
    for (long index : indexes) {
      Worlds.setPhase(cluster, active(index), Pod.Phase.SUCCEEDED);
    }
    pass(2);
  }

  void succeed(Pod pod) {
    Worlds.setPhase(cluster, pod, Pod.Phase.SUCCEEDED);
    pass(2);
  }

  void fail(long index, int exitCode) {
    fail(active(index), exitCode);
  }

  /** Lets a pod fail now, as a node would tell it. */
  void fail(Pod pod, int exitCode) {
    String moment = Timestamps.format(cluster.time().now());
    Tree how = Tree.of("exitCode", exitCode, "finishedAt", moment);
    Tree container = Tree.of("name", "main", "state", Tree.of("terminated", how));
    Pod now = new Pod(cluster.require(pod.key()));
    cluster.patchStatus(
        Kinds.POD,
        now.object(),
        now.status()
            .withPhase(Pod.Phase.FAILED)
            .tree()
            .with("containerStatuses", List.of(container)));
    pass(2);
  }

  void bind() {
    active().forEach(pod -> cluster.update(Kinds.POD, pod.withNodeName("n").object()));
  }

  void pass(long seconds) {
    Worlds.pass(driver, cluster, Duration.ofSeconds(seconds));
  }

  List<String> reasons() {
    return Worlds.reasons(cluster, "j");
  }

  @Override
  public void close() {
    driver.close();
  }
}
