package dev.sluice.conformance.controllers;

import dev.sluice.conformance.Eventually;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.Timestamps;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobPod;
import dev.sluice.model.core.pod.Binding;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/**
 * A world in which scripts of Jobs are played, and how it looks, without what differs from world to
 * world: times, uids and the random ends of names.
 */
final class JobStage {
  private static final String NODE = "job-stage";

  private final Cluster cluster;
  private final Map<String, List<String>> told = new ConcurrentHashMap<>();

  JobStage(Cluster cluster) {
    this.cluster = cluster;
    cluster.create(Kinds.NODE, ApiObject.of(Kinds.NODE, "", NODE));
    cluster.watch(Kinds.JOB, event -> note(event.object()));
    for (ResourceKind kind : List.of(Kinds.POD, Kinds.EVENT)) {
      cluster.watch(kind, event -> {});
    }
  }

  /** Remembers each step from one set of conditions to the next. */
  private void note(ApiObject job) {
    String conditions = JobPicture.conditions(job).toString();
    List<String> all = told.computeIfAbsent(job.name(), _ -> new CopyOnWriteArrayList<>());
    if (all.isEmpty() || !all.getLast().equals(conditions)) {
      all.add(conditions);
    }
  }

  void submit(String name, String spec) {
    ApiObject job =
        ApiObject.of(
            Yaml.parseAll(
                    """
                    apiVersion: batch/v1
                    kind: Job
                    metadata: {name: %s, namespace: default}
                    spec:
                      template:
                        spec:
                          restartPolicy: Never
                          containers: [{name: main, image: "busybox:1.36"}]
                    """
                        .formatted(name))
                .getFirst());
    cluster.create(Kinds.JOB, changed(job, spec));
  }

  private static ApiObject changed(ApiObject job, String spec) {
    return job.withSpec(MergePatch.apply(job.spec(), Yaml.parseAll(spec).getFirst().asTree()));
  }

  void change(String job, String spec) {
    until(() -> cluster.update(Kinds.JOB, changed(job(job), spec)));
  }

  void deleteJob(String job) {
    deleteJob(job, Deletion.Propagation.BACKGROUND);
  }

  void deleteJob(String job, Deletion.Propagation propagation) {
    cluster.delete(Kinds.JOB, job(job), new Deletion(propagation, OptionalLong.empty()));
  }

  private ApiObject job(String name) {
    return cluster.get(Kinds.JOB.key("default", name)).orElseThrow();
  }

  /** Pods by their index, or by the order of their names where they have none. */
  private List<Pod> pods(String job) {
    return cluster.list(Kinds.POD, "default").stream()
        .filter(pod -> pod.label("job-name").equals(job))
        .map(Pod::new)
        .sorted(
            Comparator.comparingLong((Pod pod) -> new JobPod(pod).index().orElse(0))
                .thenComparing(Pod::name))
        .toList();
  }

  /** An active pod, for which this waits: the one of an index, or the first where none has one. */
  private Pod active(String job, int index) {
    Eventually.holds(
        "%s has a pod %d".formatted(job, index), () -> findActive(job, index).isPresent());
    return findActive(job, index).orElseThrow();
  }

  private Optional<Pod> findActive(String job, int index) {
    boolean indexed = new Job(job(job)).isIndexed();
    return pods(job).stream()
        .filter(Pod::isActive)
        .filter(pod -> !indexed || new JobPod(pod).index().orElse(-1) == index)
        .findFirst();
  }

  void succeed(String job, int index) {
    report(active(job, index), status -> status.with("phase", "Succeeded"));
  }

  void fail(String job, int index, int exitCode) {
    fail(active(job, index), exitCode);
  }

  private void fail(Pod pod, int exitCode) {
    String now = Timestamps.format(cluster.time().now());
    Tree how = Tree.of("exitCode", exitCode, "finishedAt", now, "startedAt", now);
    report(
        pod,
        status ->
            status
                .with("phase", "Failed")
                .with("containerStatuses", List.of(container("terminated", how, 0))));
  }

  void restart(String job, int restarts) {
    Tree running = Tree.of("startedAt", Timestamps.format(cluster.time().now()));
    report(
        active(job, 0),
        status ->
            status
                .with("phase", "Running")
                .with("containerStatuses", List.of(container("running", running, restarts))));
  }

  private static Tree container(String state, Tree how, int restarts) {
    return Tree.of("name", "main", "image", "busybox", "imageID", "", "ready", false)
        .with("restartCount", restarts)
        .with("state", Tree.of(state, how));
  }

  void disrupt(String job) {
    var disrupted = new Condition("DisruptionTarget", true, "TerminationByKubelet", "because");
    Pod pod = active(job, 0);
    report(pod, status -> disrupted.in(status, cluster.time().now()).with("phase", "Failed"));
  }

  /** Lets a pod that has failed say only then that it was disrupted. */
  void disruptFailed(String job) {
    var disrupted = new Condition("DisruptionTarget", true, "TerminationByKubelet", "because");
    Pod pod = pods(job).stream().filter(Pod::isTerminal).findFirst().orElseThrow();
    report(pod, status -> disrupted.in(status, cluster.time().now()));
  }

  private void report(Pod pod, UnaryOperator<Tree> change) {
    until(() -> {
      ApiObject now = cluster.get(pod.key()).orElseThrow();
      cluster.patchStatus(Kinds.POD, now, change.apply(now.status()));
    });
  }

  /** Writes that others got in the way of are done again. */
  private static void until(Runnable write) {
    for (int attempt = 1; ; attempt++) {
      try {
        write.run();
        return;
      } catch (ApiException refused) {
        if (!refused.is(ApiFailure.Reason.CONFLICT) || attempt == 20) {
          throw refused;
        }
      }
    }
  }

  /** Gives every pod a node, so that it does not end at once when it is asked to. */
  void bind(String job) {
    pods(job).stream().filter(Pod::isActive).forEach(this::bind);
  }

  void bindFirst(String job) {
    bind(active(job, 0));
  }

  private void bind(Pod pod) {
    cluster.post(pod.key(), "binding", Binding.of(pod, NODE).object());
  }

  /** Takes from a pod the label by which its Job knows it. */
  void relabel(String job, int index) {
    edit(active(job, index), pod -> pod.withLabel("batch.kubernetes.io/controller-uid", "none"));
  }

  /** Takes from a pod the finalizer that keeps it until it is counted. */
  void untrack(String job) {
    edit(active(job, 0), pod -> pod.withoutFinalizer(Job.TRACKING));
  }

  /** Lets a pod say that it has another index. */
  void misplace(String job, int index, String other) {
    edit(active(job, index), pod -> pod.withAnnotation(JobPod.INDEX, other));
  }

  private void edit(Pod pod, UnaryOperator<ApiObject> change) {
    until(() -> cluster.update(Kinds.POD, change.apply(cluster.get(pod.key()).orElseThrow())));
  }

  void deletePod(String job) {
    cluster.delete(Kinds.POD, active(job, 0).object(), Deletion.BACKGROUND);
  }

  /** Lets the pods end that were asked to, as their node would. */
  void end(String job) {
    for (Pod pod : pods(job).stream().filter(Pod::isTerminating).toList()) {
      fail(pod, 143);
      cluster.delete(Kinds.POD, pod.object(), Deletion.NOW);
    }
  }

  /** How a Job and its pods look now. */
  String look(String job) {
    var lines = new ArrayList<String>();
    lines.add("told: " + told.getOrDefault(job, List.of()));
    cluster
        .get(Kinds.JOB.key("default", job))
        .ifPresent(object -> lines.add("status: " + JobPicture.status(object)));
    pods(job).stream().map(pod -> "pod: " + JobPicture.pod(job, pod)).sorted().forEach(lines::add);
    lines.add("events: " + JobPicture.events(job, cluster.list(Kinds.EVENT, "default")));
    return String.join("\n", lines);
  }
}
