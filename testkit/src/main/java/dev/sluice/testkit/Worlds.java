package dev.sluice.testkit;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.core.Event;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.VirtualDriver;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** Objects and steps that tests of controllers share. */
public final class Worlds {
  private Worlds() {}

  public static ApiObject yaml(String yaml) {
    return ApiObject.of(Yaml.parseAll(yaml).getFirst());
  }

  /** A Job in the namespace default whose pods sleep for 30 s, changed as the test needs it. */
  public static ApiObject job(String name, UnaryOperator<Tree> spec) {
    ApiObject job =
        yaml(
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: %s, namespace: default}
            spec:
              parallelism: 1
              completions: 1
              template:
                metadata:
                  labels: {job-name: %s}
                spec:
                  restartPolicy: Never
                  schedulerName: default-scheduler
                  containers:
                  - {name: main, image: busybox, command: [sleep, "30"]}
            """
                .formatted(name, name));
    return job.withSpec(spec.apply(job.spec()));
  }

  public static VirtualDriver driver(
      FakeCluster cluster, long seed, List<? extends Controller> controllers) {
    var driver =
        new VirtualDriver(cluster, cluster.time(), new SplittableRandom(seed), controllers);
    driver.start();
    return driver;
  }

  /** Lets time pass. */
  public static void pass(VirtualDriver driver, FakeCluster cluster, Duration time) {
    var end = cluster.time().now().plus(time);
    var reached = cluster.time().after(time, () -> {});
    driver.runUntil(end);
    reached.close();
  }

  public static Job job(FakeCluster cluster, String name) {
    return new Job(cluster.require(Kinds.JOB.key("default", name)));
  }

  public static List<Pod> pods(FakeCluster cluster) {
    return cluster.list(Kinds.POD).stream().map(Pod::new).toList();
  }

  /** Sets the phase of a pod, as a node would. */
  public static void setPhase(FakeCluster cluster, Pod pod, Pod.Phase phase) {
    Pod now = new Pod(cluster.require(pod.key()));
    cluster.patchStatus(Kinds.POD, now.object(), now.status().withPhase(phase).tree());
  }

  /** The events about an object, each as its type, reason and message, sorted. */
  public static List<String> events(FakeCluster cluster, String object) {
    return cluster.list(Kinds.EVENT).stream()
        .map(ApiObject::tree)
        .filter(event -> event.text("involvedObject", "name").equals(object))
        .map(
            event -> event.text("type") + " " + event.text("reason") + ": " + event.text("message"))
        .sorted()
        .toList();
  }

  /** The reasons of the events about an object, sorted by their names. */
  public static List<String> reasons(FakeCluster cluster, String object) {
    return cluster.list(Kinds.EVENT).stream()
        .filter(event -> event.tree().text("involvedObject", "name").equals(object))
        .map(event -> new Event(event).reason())
        .sorted()
        .toList();
  }
}
