package dev.sluice.model.jobset;

import dev.sluice.model.ApiObject;
import dev.sluice.model.batch.Job;
import dev.sluice.model.tree.Tree;
import java.util.List;

/** A replicated job of a JobSet: a template, and how many Jobs are made from it. */
public record ReplicatedJob(Tree tree) {

  /** When a replicated job may start that depends on another one. */
  public enum DependencyStatus {
    /** When all Jobs of the other one are ready, or have ended. */
    READY,
    /** When all Jobs of the other one have succeeded. */
    COMPLETE
  }

  /** A replicated job that must be ready or complete first. */
  public record Dependency(String name, DependencyStatus status) {}

  public String name() {
    return tree.text("name");
  }

  public String groupName() {
    String group = tree.text("groupName");
    return group.isEmpty() ? "default" : group;
  }

  public long replicas() {
    return tree.whole("replicas").orElse(1);
  }

  /** The template of its Jobs, with metadata and spec. */
  public Tree template() {
    return tree.tree("template");
  }

  /** A Job of this template, for reading its spec. */
  public Job job() {
    return new Job(new ApiObject(template()));
  }

  /** How many pods a Job of it needs at a time. */
  public long podsPerJob() {
    Job job = job();
    return Math.min(job.parallelism(), job.completions().orElse(job.parallelism()));
  }

  public List<Dependency> dependsOn() {
    return tree.trees("dependsOn").stream()
        .map(each ->
            new Dependency(
                each.text("name"),
                each.text("status").equals("Complete")
                    ? DependencyStatus.COMPLETE
                    : DependencyStatus.READY))
        .toList();
  }
}
