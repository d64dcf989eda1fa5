package dev.sluice.controllers.queueing.importing;

import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.controllers.queueing.importing.Finding.Grant;
import dev.sluice.controllers.queueing.importing.Finding.Overtaken;
import dev.sluice.controllers.queueing.importing.Finding.Problem;
import dev.sluice.controllers.queueing.importing.Finding.Ready;
import dev.sluice.controllers.queueing.importing.Finding.Skipped;
import dev.sluice.controllers.queueing.importing.Finding.Written;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The import of running pods into queues: each pod gets a workload that is admitted at once, and
 * then the labels of a queued pod.
 *
 * <p>The labels come last. A manager stops queued pods without an admitted workload, so a pod must
 * never be in that state, wherever an import is interrupted. The next import completes what an
 * interrupted one left: every write follows from the current objects.
 */
public final class PodImport {
  /**
   * The number of attempts per pod: nodes write the status of pods all the time, and cause
   * conflicts.
   */
  private static final int MAX_PASSES = 10;

  private static final String MANAGER_ADVICE =
      "; if a manager queues pods, end it or take pod out of integrations.frameworks of its file"
          + " while pods are imported";

  private final Cluster cluster;
  private final ImportTerms terms;
  private final PodCheck check;

  public PodImport(Cluster cluster, ImportTerms terms) {
    this.cluster = cluster;
    this.terms = terms;
    this.check = new PodCheck(cluster, terms);
  }

  /** Checks all pods and writes nothing. */
  public ImportReport check() {
    SortedMap<String, Workload> own = workloadsByOwner();
    var findings = new TreeMap<String, Finding>();
    pods().forEach(pod -> findings.put(pod.path(), found(pod, own)));
    return ImportReport.of(findings);
  }

  /** Imports every pod that can be imported. */
  public ImportReport run() {
    var findings = new ConcurrentSkipListMap<String, Finding>();
    List<ObjectKey> left = pods();
    for (int pass = 0; pass < MAX_PASSES && !left.isEmpty(); pass++) {
      SortedMap<String, Workload> own = workloadsByOwner();
      inParallel(left, pod -> findings.put(pod.path(), imported(pod, own)));
      left = left.stream().filter(pod -> findings.get(pod.path()) instanceof Overtaken).toList();
    }
    return ImportReport.of(findings);
  }

  private List<ObjectKey> pods() {
    var pods = new ArrayList<ObjectKey>();
    for (String namespace : terms.namespaces()) {
      if (cluster.get(Kinds.NAMESPACE.key(namespace)).isEmpty()) {
        throw ApiFailure.notFound(Kinds.NAMESPACE.key(namespace));
      }
      cluster.list(Kinds.POD, namespace).stream()
          .filter(PodImport::mayRun)
          .forEach(pod -> pods.add(pod.key(Kinds.POD)));
    }
    return pods;
  }

  private static boolean mayRun(ApiObject pod) {
    return !pod.isDeleting() && !new Pod(pod).isTerminal();
  }

  private SortedMap<String, Workload> workloadsByOwner() {
    var workloads = new TreeMap<String, Workload>();
    for (String namespace : terms.namespaces()) {
      for (ApiObject workload : cluster.list(Kinds.WORKLOAD, namespace)) {
        workload
            .controller()
            .ifPresent(owner -> workloads.putIfAbsent(owner.uid(), new Workload(workload)));
      }
    }
    return workloads;
  }

  private void inParallel(List<ObjectKey> pods, Consumer<ObjectKey> work) {
    var left = new ConcurrentLinkedQueue<>(pods);
    Runnable worker =
        () -> {
          for (ObjectKey pod = left.poll(); pod != null; pod = left.poll()) {
            work.accept(pod);
          }
        };
    cluster.together(Collections.nCopies(terms.workers(), worker));
  }

  private Finding found(ObjectKey key, SortedMap<String, Workload> own) {
    return cluster
        .get(key)
        .filter(PodImport::mayRun)
        .map(pod -> check.of(pod, Optional.ofNullable(own.get(pod.uid()))))
        .orElseGet(Skipped::new);
  }

  private Finding imported(ObjectKey key, SortedMap<String, Workload> own) {
    Finding found = found(key, own);
    return found instanceof Ready ready ? write(ready) : found;
  }

  private Finding write(Ready ready) {
    try {
      admit(ready);
    } catch (ApiException refused) {
      return refused(refused, "its Workload is refused: ", "");
    }
    try {
      cluster.update(Kinds.POD, ready.pod());
      return new Written();
    } catch (ApiException refused) {
      return refused(refused, "its labels are refused: ", MANAGER_ADVICE);
    }
  }

  private void admit(Ready ready) {
    ApiObject workload = ready.workload().object();
    ApiObject there =
        workload.resourceVersion().isEmpty() ? cluster.create(Kinds.WORKLOAD, workload) : workload;
    if (ready.grant().isPresent()) {
      Grant grant = ready.grant().get();
      var status =
          WorkloadTransitions.importInto(
              new Workload(there).status(),
              grant.admission(),
              grant.checks(),
              cluster.time().now());
      cluster.patchStatus(Kinds.WORKLOAD, there, Condition.observed(there, status.tree()));
    }
  }

  /** A pod or workload that has changed meanwhile is read and decided about again. */
  private static Finding refused(ApiException refused, String what, String advice) {
    return switch (refused.failure().reason()) {
      case CONFLICT, ALREADY_EXISTS, NOT_FOUND -> new Overtaken();
      default -> new Problem(what + why(refused.failure()) + advice);
    };
  }

  /** The causes name no object, so that equal problems have equal messages. */
  private static String why(ApiFailure failure) {
    return failure.causes().isEmpty()
        ? failure.message()
        : failure.causes().stream()
            .map(cause -> cause.field() + ": " + cause.message())
            .collect(Collectors.joining(", "));
  }
}
