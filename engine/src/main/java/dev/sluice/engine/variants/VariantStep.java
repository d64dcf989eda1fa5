package dev.sluice.engine.variants;

import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;

/** A write that brings a parent and its variants closer to the desired state. */
public sealed interface VariantStep {

  /** The workload becomes a parent: it is not queued itself any more. */
  record Mark(Workload parent) implements VariantStep {}

  /** The workload is no longer a parent and is queued itself. */
  record Unmark(Workload parent) implements VariantStep {}

  /** A variant is missing. */
  record Create(Workload parent, Workload variant) implements VariantStep {}

  /** A variant should not exist; it goes once nothing of the job runs on its quota. */
  record Delete(Workload parent, Workload variant, String why) implements VariantStep {}

  /** The finalizer of a deleted or finished variant is removed. */
  record LetGo(Workload variant) implements VariantStep {}

  /** The parent has finished, and so do its variants. */
  record Finish(Workload variant, String reason, String message) implements VariantStep {}

  /** The variant is updated from its parent. */
  record Follow(Workload changed) implements VariantStep {}

  /** The parent or a variant is evicted because the other is. */
  record Evict(Workload workload, String reason, String message) implements VariantStep {}

  /** The quota of an evicted variant is released: nothing of the job runs on it. */
  record Release(Workload variant) implements VariantStep {}

  /** A variant is activated or deactivated. */
  record Switch(Workload variant, boolean active, String why) implements VariantStep {}

  /** The parent is deactivated: no variant can be admitted any more. */
  record GiveUp(Workload parent, String reason, String message) implements VariantStep {}

  /** The parent gets the admission of this variant. */
  record Mirror(Workload parent, Workload variant) implements VariantStep {}

  /** The variant gets the parent's status of the job's pods. */
  record Report(Workload variant, WorkloadStatus status) implements VariantStep {}

  /** The variant's preemption gate is opened. */
  record OpenGate(Workload variant) implements VariantStep {}
}
