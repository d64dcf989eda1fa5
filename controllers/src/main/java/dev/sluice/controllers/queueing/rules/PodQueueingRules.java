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
 * Queueing of plain pods at the door: a queued pod is created with a gate that keeps it from being
 * scheduled, a label by which it is found again, a finalizer so that its end is seen, and the role
 * it has in its group. A pod of a queued job is left alone; a pod whose parent holds its pods back
 * gets the gate and the role only.
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
    if (!queued.standsAlone(pod)) {
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
    String role = namesItsRole(pod) ? RoleHash.of(pod) : RoleHash.ofSpec(pod.spec());
    return new ApiObject(PodGates.withGate(pod.tree(), KueueNames.ADMISSION_GATE))
        .withAnnotation(KueueNames.ROLE_HASH, role);
  }

  /**
   * Whether the role that a pod names counts: a parent that holds its pods back, and whoever made a
   * workload beforehand, know the pod sets. Anybody else could pass large pods off as small ones.
   */
  private static boolean namesItsRole(ApiObject pod) {
    return isHeldByParent(pod) || !ManagedJobs.prebuilt(pod).isEmpty();
  }

  @Override
  public void checkCreate(ApiObject pod) {
    ValidationErrors problems = problems(pod);
    queued.checkAncestry(pod, problems);
    problems.refuse(kind(), pod.name());
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after) {
    ValidationErrors problems = problems(after);
    queued.checkChange(
        new QueuedJobRules.Change(before, after, isGated(before), isGated(after)), problems);
    PodGroupRules.checkChange(before, after, problems);
    if (isManaged(before)) {
      // Without the label nobody would stop the pod if it ran before its turn.
      problems.immutable(MANAGED, YES, after.label(KueueNames.MANAGED));
      checkRole(before, after, problems);
    }
    problems.refuseNew(problems(before), kind(), after.name());
  }

  private static void checkRole(ApiObject before, ApiObject after, ValidationErrors problems) {
    if (!namesItsRole(before)) {
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
