package dev.sluice.engine.variants;

import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;

/** One write that brings a parent and its variants nearer to how they should be. */
public sealed interface VariantStep {

  /** The workload becomes a parent: it is not queued itself any more. */
  record Mark(Workload parent) implements VariantStep {}

  /** The workload is no parent any more, and is queued itself. */
  record Unmark(Workload parent) implements VariantStep {}

  /** A variant is missing. */
  record Create(Workload parent, Workload variant) implements VariantStep {}

  /** A variant should not exist; it goes once nothing of the job runs on its quota. */
  record Delete(Workload parent, Workload variant, String why) implements VariantStep {}

  /** Nothing keeps a variant any more that is deleted or finished. */
  record LetGo(Workload variant) implements VariantStep {}

  /** The parent is over, so its variants are. */
  record Finish(Workload variant, String reason, String message) implements VariantStep {}

  /** The variant must ask for what its parent asks for now. */
  record Follow(Workload changed) implements VariantStep {}

  /** The parent, or a variant, must stop because the other does. */
  record Evict(Workload workload, String reason, String message) implements VariantStep {}

  /** Nothing of the job runs on the quota of an evicted variant. */
  record Release(Workload variant) implements VariantStep {}

  /** A variant takes part, or does not. */
  record Switch(Workload variant, boolean active, String why) implements VariantStep {}

  /** No variant can be admitted any more, so the parent is switched off. */
  record GiveUp(Workload parent, String reason, String message) implements VariantStep {}

  /** The parent gets what this variant was given. */
  record Mirror(Workload parent, Workload variant) implements VariantStep {}

  /** The variant says of the job's pods what its parent does. */
  record Report(Workload variant, WorkloadStatus status) implements VariantStep {}

  /** The variant may evict others. */
  record OpenGate(Workload variant) implements VariantStep {}
}
