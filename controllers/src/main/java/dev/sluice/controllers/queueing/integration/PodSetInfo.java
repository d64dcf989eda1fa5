package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.PodTemplate;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.Admission.Assignment;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.ResourceFlavor;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The labels, node selectors, tolerations and counts that the pod sets of an admitted workload get,
 * so that their pods run where the quota is. They are in the order of the workload. A template with
 * another value of a label, an annotation or a node selector is a {@link PodSetConflict conflict}:
 * nothing is overwritten.
 */
public final class PodSetInfo {
  private final List<PodSetChange> changes;

  private PodSetInfo(List<PodSetChange> changes) {
    this.changes = changes;
  }

  /** The changes from the flavors, the queue and the checks of a workload. */
  static PodSetInfo of(
      Cluster cluster, Configuration configuration, Workload workload, Admission admission) {
    var changes = new ArrayList<PodSetChange>();
    for (PodSet podSet : workload.podSets()) {
      var change = new PodSetChange(podSet.name(), podSet.count());
      change.label(KueueNames.POD_SET, podSet.name());
      if (configuration.has(Gate.ASSIGN_QUEUE_LABELS)) {
        addQueues(change, workload.queueName(), admission.clusterQueue());
      }
      admission.of(podSet.name()).ifPresent(assignment -> addFlavors(cluster, change, assignment));
      addChecks(change, workload.status().admissionChecks());
      if (WorkloadSlices.isSlice(workload)) {
        change.annotate(KueueNames.SLICE_NAME, WorkloadSlices.chain(workload));
        change.gate(KueueNames.ELASTIC_JOB_GATE);
      }
      changes.add(change);
    }
    return new PodSetInfo(changes);
  }

  private static void addQueues(PodSetChange change, String localQueue, String clusterQueue) {
    if (isLabelValue(localQueue)) {
      change.label(KueueNames.LOCAL_QUEUE, localQueue);
    }
    if (isLabelValue(clusterQueue)) {
      change.label(KueueNames.CLUSTER_QUEUE, clusterQueue);
    }
  }

  /** Whether a name is a valid label value: names of queues may be longer, or have dots. */
  static boolean isLabelValue(String name) {
    return name.length() <= 63 && name.matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  }

  private static void addFlavors(Cluster cluster, PodSetChange change, Assignment assignment) {
    change.count(assignment.count());
    for (String name : new TreeSet<>(assignment.flavors().values())) {
      var found = cluster.get(Kinds.RESOURCE_FLAVOR.key(name)).map(ResourceFlavor::new);
      found.ifPresent(flavor -> {
        flavor.nodeLabels().forEach(change::select);
        change.tolerate(flavor.tolerations());
      });
    }
  }

  private static void addChecks(PodSetChange change, List<CheckState> checks) {
    for (CheckState check : checks) {
      check.podSetUpdates().stream()
          .filter(update -> check.ready() && update.text("name").equals(change.podSet()))
          .forEach(update -> {
            update.texts("labels").forEach(change::label);
            update.texts("annotations").forEach(change::annotate);
            update.texts("nodeSelector").forEach(change::select);
            change.tolerate(update.trees("tolerations"));
          });
    }
  }

  /** The pod sets of the workload or of its job, with their changes. */
  List<PodSet> on(List<PodSet> podSets) {
    if (podSets.size() != changes.size()) {
      throw new PodSetConflict(
          "the job has %d pod sets, its workload %d".formatted(podSets.size(), changes.size()));
    }
    var changed = new ArrayList<PodSet>();
    for (int i = 0; i < podSets.size(); i++) {
      PodSetChange change = changes.get(i);
      PodSet podSet = podSets.get(i);
      // A count without partial admission is smaller only because pods have ended: the job keeps
      // its own.
      boolean partial = podSet.minCount().isPresent();
      PodSet sized = partial ? podSet.withCount(change.count()) : podSet;
      changed.add(sized.withTemplate(change.on(podSet.template())));
    }
    return changed;
  }

  /** A pod of a pod set, as a template, with its changes; a single pod set takes every pod. */
  public PodTemplate on(String podSet, PodTemplate pod) {
    return of(podSet).on(pod);
  }

  /** The number of pods for which a pod set was admitted. */
  public int count(String podSet) {
    return of(podSet).count();
  }

  private PodSetChange of(String podSet) {
    return changes.stream()
        .filter(change -> changes.size() == 1 || change.podSet().equals(podSet))
        .findFirst()
        .orElseThrow(() -> new PodSetConflict("the workload has no pod set " + podSet));
  }

  /** The changes of one pod set. */
  private static final class PodSetChange {
    private final String podSet;
    private final SortedMap<String, String> labels = new TreeMap<>();
    private final SortedMap<String, String> annotations = new TreeMap<>();
    private final SortedMap<String, String> nodeLabels = new TreeMap<>();
    private final List<Tree> tolerations = new ArrayList<>();
    private final List<String> gates = new ArrayList<>();
    private int count;

    PodSetChange(String podSet, int count) {
      this.podSet = podSet;
      this.count = count;
    }

    String podSet() {
      return podSet;
    }

    int count() {
      return count;
    }

    void count(int assigned) {
      count = assigned;
    }

    void label(String name, String value) {
      put(labels, "label", name, value);
    }

    void annotate(String name, String value) {
      put(annotations, "annotation", name, value);
    }

    void select(String name, String value) {
      put(nodeLabels, "node selector", name, value);
    }

    void tolerate(List<Tree> added) {
      tolerations.addAll(added);
    }

    void gate(String name) {
      gates.add(name);
    }

    PodTemplate on(PodTemplate before) {
      check("label", before.labels(), labels);
      check("annotation", before.annotations(), annotations);
      check("node selector", before.spec().nodeSelector(), nodeLabels);
      PodTemplate after = before.selectingNodes(nodeLabels).tolerating(tolerations);
      for (var label : labels.entrySet()) {
        after = after.withLabel(label.getKey(), label.getValue());
      }
      for (var annotation : annotations.entrySet()) {
        after = after.withAnnotation(annotation.getKey(), annotation.getValue());
      }
      for (String gate : gates) {
        after = after.withSchedulingGate(gate);
      }
      return after;
    }

    private void put(SortedMap<String, String> map, String what, String name, String value) {
      requireEqual(what, name, map.putIfAbsent(name, value), value);
    }

    private void check(
        String what, SortedMap<String, String> before, SortedMap<String, String> added) {
      added.forEach((name, value) -> requireEqual(what, name, before.get(name), value));
    }

    private void requireEqual(String what, String name, @Nullable String before, String value) {
      if (before != null && !before.equals(value)) {
        throw new PodSetConflict(
            "pod set %s: the %s %s is \"%s\" and would have to be \"%s\""
                .formatted(podSet, what, name, before, value));
      }
    }
  }
}
