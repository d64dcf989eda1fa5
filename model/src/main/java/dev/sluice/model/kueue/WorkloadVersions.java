package dev.sluice.model.kueue;

import static dev.sluice.model.kueue.Fields.each;
import static dev.sluice.model.kueue.Fields.renamed;
import static dev.sluice.model.kueue.Fields.within;

import dev.sluice.model.kueue.Workload.PriorityClassRef;
import dev.sluice.model.tree.Tree;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The conversion of a Workload between its two versions. */
final class WorkloadVersions {
  private static final String PAST_TIME = "accumulatedPastExecutionTimeSeconds";

  /** The misspelling is part of the API. */
  private static final String OLD_PAST_TIME = "accumulatedPastExexcutionTimeSeconds";

  private static final String OWN_CLASSES = "kueue.x-k8s.io/workloadpriorityclass";
  private static final String POD_CLASSES = "scheduling.k8s.io/priorityclass";

  private WorkloadVersions() {}

  static Tree toV1beta2(Tree workload) {
    Tree spec = within(workload, "spec", WorkloadVersions::specToV1beta2);
    return within(
        spec,
        "status",
        status ->
            assigned(
                renamed(status, OLD_PAST_TIME, PAST_TIME), TopologyAssignmentVersions::toSlices));
  }

  static Tree toV1beta1(Tree workload) {
    Tree spec = within(workload, "spec", WorkloadVersions::specToV1beta1);
    return within(
        spec,
        "status",
        status ->
            assigned(
                renamed(status.without("preemptionGates"), PAST_TIME, OLD_PAST_TIME),
                TopologyAssignmentVersions::toDomains));
  }

  private static Tree specToV1beta2(Tree spec) {
    Tree rest = spec.without("priorityClassName").without("priorityClassSource");
    String name = spec.text("priorityClassName");
    Optional<PriorityClassRef> reference =
        switch (name.isEmpty() ? "" : spec.text("priorityClassSource")) {
          case OWN_CLASSES -> Optional.of(PriorityClassRef.workloadPriorityClass(name));
          case POD_CLASSES -> Optional.of(PriorityClassRef.podPriorityClass(name));
          default -> Optional.empty();
        };
    return reference.map(known -> rest.with("priorityClassRef", known.tree())).orElse(rest);
  }

  private static Tree specToV1beta1(Tree spec) {
    Tree rest =
        each(
            spec.without("priorityClassRef").without("preemptionGates"),
            "podSets",
            podSet ->
                within(
                    podSet,
                    "topologyRequest",
                    request -> request.without("podsetSliceRequiredTopologyConstraints")));
    if (!(spec.at("priorityClassRef") instanceof Tree tree)) {
      return rest;
    }
    var reference = PriorityClassRef.of(tree);
    boolean own = reference.equals(PriorityClassRef.workloadPriorityClass(reference.name()));
    boolean ofPods = reference.equals(PriorityClassRef.podPriorityClass(reference.name()));
    return own || ofPods
        ? rest.with("priorityClassName", reference.name())
            .with("priorityClassSource", own ? OWN_CLASSES : POD_CLASSES)
        : rest;
  }

  private static Tree assigned(Tree status, UnaryOperator<Tree> topologyAssignment) {
    return within(
        status,
        "admission",
        admission ->
            each(
                admission,
                "podSetAssignments",
                assignment -> within(assignment, "topologyAssignment", topologyAssignment)));
  }
}
