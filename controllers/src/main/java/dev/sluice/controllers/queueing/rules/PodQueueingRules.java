package dev.sluice.controllers.queueing.rules;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.controllers.queueing.RoleHash;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.runtime.AdmissionHook;
import dev.sluice.runtime.Cluster;

/**
 * The admission rules for queued pods: a queued pod is created with a scheduling gate, the label of
 * managed pods, a finalizer so that its end is counted, and its role in the group. A pod of a
 * queued job is left alone; a pod whose parent suspends its pods gets the gate and the role only.
 */
final class PodQueueingRules implements AdmissionHook {
  private static final String MANAGED = MetadataRules.label(KueueNames.MANAGED);
  private static final String ROLE = MetadataRules.annotation(KueueNames.ROLE_HASH);
  private static final String YES = "true";

  private final QueuedJobRules queued;

  PodQueueingRules(Cluster cluster, Configuration configuration) {
    this.queued = new QueuedJobRules(cluster, configuration);
  }

  @Override
  public ResourceKind kind() {
    return Kinds.POD;
  }

  @Override
  public ApiObject onCreate(ApiObject pod) {
    if (isHeldByParent(pod)) {
      return gated(pod);
    }
    if (!queued.mayBeQueued(pod)) {
      return pod;
    }
    ApiObject complete = queued.withDefaults(pod);
    return queued.wantsQueue(complete)
        ? gated(
            complete.withLabel(KueueNames.MANAGED, YES).withFinalizer(KueueNames.MANAGED_FINALIZER))
        : complete;
  }

  private static boolean isHeldByParent(ApiObject pod) {
    return MetadataRules.hasAnnotation(pod, KueueNames.POD_SUSPENDING_PARENT);
  }

  private static ApiObject gated(ApiObject pod) {
    String role = hasTrustedRole(pod) ? RoleHash.of(pod) : RoleHash.ofSpec(pod.spec());
    return new ApiObject(PodGates.withGate(pod.tree(), KueueNames.ADMISSION_GATE))
        .withAnnotation(KueueNames.ROLE_HASH, role);
  }

  /**
   * Whether the role in a pod's annotation counts: the parent that suspends its pods, and the
   * creator of a prebuilt workload, know the pod sets. Any other client could pass off large pods
   * as small ones.
   */
  private static boolean hasTrustedRole(ApiObject pod) {
    return isHeldByParent(pod) || !ManagedJobs.prebuilt(pod).isEmpty();
  }

  @Override
  public void checkCreate(ApiObject pod) {
    ValidationErrors problems = problems(pod);
    queued.checkAncestry(pod, problems);
    problems.deny(kind(), pod.name());
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after) {
    ValidationErrors problems = problems(after);
    queued.checkChange(
        new QueuedJobRules.Change(before, after, isGated(before), isGated(after)), problems);
    PodGroupRules.checkChange(before, after, problems);
    if (isManaged(before)) {
      // Without the label no controller would stop the pod if it ran before its admission.
      problems.immutable(MANAGED, YES, after.label(KueueNames.MANAGED));
      checkRole(before, after, problems);
    }
    problems.denyNew(problems(before), kind(), after.name());
  }

  private static void checkRole(ApiObject before, ApiObject after, ValidationErrors problems) {
    if (!hasTrustedRole(before)) {
      problems.immutable(
          ROLE, before.annotation(KueueNames.ROLE_HASH), after.annotation(KueueNames.ROLE_HASH));
    }
  }

  private static boolean isManaged(ApiObject pod) {
    return pod.label(KueueNames.MANAGED).equals(YES);
  }

  private static boolean isGated(ApiObject pod) {
    return PodGates.has(pod.tree(), KueueNames.ADMISSION_GATE);
  }

  private ValidationErrors problems(ApiObject pod) {
    var problems = new ValidationErrors();
    queued.check(pod, problems);
    PodGroupRules.check(pod, problems);
    if (pod.labels().containsKey(KueueNames.MANAGED) && !isManaged(pod)) {
      problems.forbidden(MANAGED, "can only be \"true\"");
    }
    if (queued.isElastic(pod)) {
      problems.forbidden(
          MetadataRules.annotation(KueueNames.ELASTIC_JOB), "pods cannot be elastic");
    }
    return problems;
  }
}
