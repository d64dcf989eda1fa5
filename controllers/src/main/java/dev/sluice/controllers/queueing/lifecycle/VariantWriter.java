package dev.sluice.controllers.queueing.lifecycle;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.ConditionReasons;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.engine.variants.VariantPlan;
import dev.sluice.engine.variants.VariantStep;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import java.time.Instant;
import java.util.List;

/** The writer of {@link VariantStep}s, each with the seen object as precondition. */
final class VariantWriter {
  private static final List<String> GO_ON_AT_ONCE =
      List.of(VariantPlan.FLAVOR_MIGRATION, VariantPlan.VARIANT_EVICTED);

  private final Cluster cluster;
  private final EventRecorder events;
  private final ConditionReasons words;

  VariantWriter(Cluster cluster, Configuration configuration) {
    this.cluster = cluster;
    this.events = new EventRecorder(cluster, "kueue-concurrent-admission");
    this.words = ConditionReasons.of(configuration);
  }

  void write(VariantStep step) {
    Instant now = cluster.time().now();
    switch (step) {
      case VariantStep.Mark(Workload parent) ->
          update(parent.object().withLabel(KueueNames.CONCURRENT_ADMISSION_PARENT, "true"));
      case VariantStep.Unmark(Workload parent) ->
          update(
              parent
                  .object()
                  .without(List.of("metadata", "labels", KueueNames.CONCURRENT_ADMISSION_PARENT)));
      case VariantStep.Create(Workload parent, Workload variant) -> create(parent, variant);
      case VariantStep.Delete(Workload parent, Workload variant, String why) ->
          delete(parent, variant, why);
      case VariantStep.LetGo(Workload variant) ->
          update(variant.object().withoutFinalizer(KueueNames.IN_USE));
      case VariantStep.Finish(Workload variant, String reason, String message) ->
          status(variant, WorkloadTransitions.finish(variant.status(), reason, message, now));
      case VariantStep.Follow(Workload changed) -> update(changed.object());
      case VariantStep.Evict(Workload workload, String reason, String message) -> {
        status(workload, WorkloadTransitions.evict(workload.status(), reason, message, "", now));
        events.normal(workload.object(), "EvictedDueTo" + reason, message);
      }
      case VariantStep.Release(Workload variant) -> status(variant, released(variant, now));
      case VariantStep.Switch(Workload variant, boolean active, String why) -> {
        update(variant.withActive(active).object());
        events.normal(
            variant.object(),
            active ? "ActivatedVariant" : "DeactivatedVariant",
            (active ? "Activated: " : "Deactivated: ") + why);
      }
      case VariantStep.GiveUp(Workload parent, String reason, String message) ->
          status(parent, WorkloadTransitions.deactivate(parent.status(), reason, message, now));
      case VariantStep.Mirror(Workload parent, Workload variant) -> mirror(parent, variant, now);
      case VariantStep.Report(Workload variant, WorkloadStatus status) -> status(variant, status);
      case VariantStep.OpenGate(Workload variant) -> {
        String gate = KueueNames.CONCURRENT_ADMISSION_GATE;
        status(variant, variant.status().withPreemptionGateOpen(gate, now));
        events.normal(
            variant.object(),
            "PreemptionUngatedVariant",
            "It is the turn of %s to evict others".formatted(variant.object().path()));
      }
    }
  }

  private void update(ApiObject changed) {
    cluster.update(Kinds.WORKLOAD, changed);
  }

  private void status(Workload seen, WorkloadStatus status) {
    cluster.patchStatus(
        Kinds.WORKLOAD, seen.object(), Condition.observed(seen.object(), status.tree()));
  }

  private void create(Workload parent, Workload variant) {
    cluster.create(Kinds.WORKLOAD, variant.object());
    events.normal(
        parent.object(),
        "CreatedVariant",
        "Created variant %s for flavor %s"
            .formatted(variant.object().path(), variant.allowedFlavor()));
  }

  private void delete(Workload parent, Workload variant, String why) {
    cluster.delete(Kinds.WORKLOAD, variant.object(), Deletion.BACKGROUND);
    events.normal(
        parent.object(),
        "DeletedVariant",
        "Deleted variant %s: %s".formatted(variant.object().path(), why));
  }

  /**
   * Releases the quota of a variant. Only this controller requeues variants, and their pods are
   * gone.
   */
  private WorkloadStatus released(Workload variant, Instant now) {
    String reason = variant.status().reason(WorkloadStatus.EVICTED);
    String message = variant.status().message(WorkloadStatus.EVICTED);
    WorkloadStatus released =
        WorkloadTransitions.releaseEvicted(variant.status(), words, now)
            .withoutCondition(WorkloadStatus.PODS_READY);
    return GO_ON_AT_ONCE.contains(reason)
        ? WorkloadTransitions.requeue(released, reason, message, now)
        : released;
  }

  private void mirror(Workload parent, Workload variant, Instant now) {
    var admitted = WorkloadTransitions.admitAs(variant, parent.status(), now);
    status(parent, admitted.status());
    events.normal(parent.object(), WorkloadTransitions.ADMITTED, admitted.message());
  }
}
