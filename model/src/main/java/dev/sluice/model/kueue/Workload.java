package dev.sluice.model.kueue;

import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.PodTemplate;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** What a job needs to run, and what it was given. */
public record Workload(ApiObject object) {
  public static final String QUOTA_RESERVED = "QuotaReserved";
  public static final String ADMITTED = "Admitted";
  public static final String FINISHED = "Finished";

  /** A new workload that waits in a queue. */
  public static Workload of(String namespace, String name, String queueName, List<PodSet> podSets) {
    Tree spec =
        Tree.of("queueName", queueName, "podSets", podSets.stream().map(PodSet::tree).toList());
    return new Workload(
        ApiObject.of(Kinds.WORKLOAD, namespace, name)
            .withSpec(spec)
            .withFinalizer(KueueNames.IN_USE));
  }

  public String queueName() {
    return object.spec().text("queueName");
  }

  public int priority() {
    return (int) object.spec().whole("priority").orElse(0);
  }

  public List<PodSet> podSets() {
    return object.spec().trees("podSets").stream().map(PodSet::of).toList();
  }

  public Workload withQueueName(String queueName) {
    return new Workload(object.with(List.of("spec", "queueName"), queueName));
  }

  public Workload withPodSets(List<PodSet> podSets) {
    return new Workload(
        object.with(List.of("spec", "podSets"), podSets.stream().map(PodSet::tree).toList()));
  }

  public boolean finished() {
    return Condition.holds(object.status(), FINISHED);
  }

  public boolean admitted() {
    return Condition.holds(object.status(), ADMITTED);
  }

  public boolean reserved() {
    return Condition.holds(object.status(), QUOTA_RESERVED);
  }

  /** What the workload was given, while it holds it. */
  public Optional<Admission> admission() {
    return object.status().at("admission") instanceof Tree admission
        ? Optional.of(Admission.of(admission))
        : Optional.empty();
  }

  /** The status of this workload with what it is given. */
  public Tree statusWith(Admission admission) {
    return object.status().with("admission", admission.tree());
  }

  /** Pods of one shape. */
  public record PodSet(String name, int count, PodTemplate template) {

    private static PodSet of(Tree tree) {
      return new PodSet(
          tree.text("name"),
          (int) tree.whole("count").orElse(1),
          new PodTemplate(tree.tree("template")));
    }

    private Tree tree() {
      return Tree.of("name", name, "count", count, "template", template.tree());
    }
  }

  /** The resources a workload was given by a ClusterQueue. */
  public record Admission(String clusterQueue, List<Assignment> assignments) {
    public Admission {
      assignments = List.copyOf(assignments);
    }

    private static Admission of(Tree tree) {
      return new Admission(
          tree.text("clusterQueue"),
          tree.trees("podSetAssignments").stream().map(Assignment::of).toList());
    }

    public Tree tree() {
      return Tree.of(
          "clusterQueue",
          clusterQueue,
          "podSetAssignments",
          Items.of(assignments.stream().map(Assignment::tree).toList()));
    }
  }

  /**
   * The resources of one pod set.
   *
   * @param flavors the flavor of each resource
   * @param usage how much all its pods use together
   */
  public record Assignment(
      String podSet, int count, SortedMap<String, String> flavors, Amounts usage) {

    private static Assignment of(Tree tree) {
      return new Assignment(
          tree.text("name"),
          (int) tree.whole("count").orElse(0),
          tree.texts("flavors"),
          Amounts.of(tree.tree("resourceUsage")));
    }

    private Tree tree() {
      return Tree.of(
          "name", podSet, "count", count, "flavors", flavors, "resourceUsage", usage.tree());
    }
  }
}
