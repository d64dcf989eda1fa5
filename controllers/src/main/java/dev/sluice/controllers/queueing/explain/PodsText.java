package dev.sluice.controllers.queueing.explain;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Plural;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.model.kueue.Admission.Assignment;
import dev.sluice.model.kueue.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** The pods of an admitted workload in words: how many are ready, and what keeps the others. */
final class PodsText {
  /** The label of a Job's pods: the uid of the Job. */
  static final String CONTROLLER_UID = "batch.kubernetes.io/controller-uid";

  /** How many different reasons are named at most. */
  private static final int MAX_REASONS = 3;

  private PodsText() {}

  static List<String> of(List<ApiObject> objects, Workload workload) {
    List<Pod> pods = objects.stream().map(Pod::new).filter(pod -> !pod.isDeleting()).toList();
    int wanted =
        workload.admission().orElseThrow().assignments().stream().mapToInt(Assignment::count).sum();
    long ready = pods.stream().filter(Pod::isReady).count();
    long ended = pods.stream().filter(Pod::isTerminal).count();
    var lines = new ArrayList<String>();
    lines.add(
        "%d of %s ready%s"
            .formatted(ready, Plural.of(wanted, "pod"), ended == 0 ? "" : ", " + ended + " ended"));
    var reasons = new TreeMap<String, Integer>();
    pods.stream()
        .filter(pod -> !pod.isTerminal() && !pod.isReady())
        .forEach(pod -> reasons.merge(reason(pod), 1, Integer::sum));
    reasons.entrySet().stream()
        .sorted(Comparator.comparingInt(entry -> -entry.getValue()))
        .limit(MAX_REASONS)
        .forEach(entry -> lines.add("  %d %s".formatted(entry.getValue(), entry.getKey())));
    return lines;
  }

  private static String reason(Pod pod) {
    PodStatus status = pod.status();
    if (!pod.isBound()) {
      String message = status.message(PodStatus.POD_SCHEDULED);
      String reason = status.reason(PodStatus.POD_SCHEDULED);
      return reason.isEmpty()
          ? "not looked at by the scheduler yet"
          : "without a node, %s: %s".formatted(reason, message);
    }
    String waiting =
        status.containers().stream()
            .map(container -> status.waitingReason(container.name()))
            .filter(found -> !found.isEmpty())
            .findFirst()
            .orElse("");
    return waiting.isEmpty() ? "starting" : "starting: " + waiting;
  }
}
