package dev.sluice.controllers.queueing.rules;

import dev.sluice.controllers.queueing.Int32;
import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.model.ApiObject;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.kueue.KueueNames;

/** The rules for pods of a pod group, whose workload has the name of the group. */
final class PodGroupRules {
  private static final String TOTAL = MetadataRules.annotation(KueueNames.POD_GROUP_TOTAL);

  private PodGroupRules() {}

  static void check(ApiObject pod, ValidationErrors problems) {
    String group = ManagedJobs.podGroup(pod);
    boolean counted = MetadataRules.hasAnnotation(pod, KueueNames.POD_GROUP_TOTAL);
    if (group.isEmpty() && counted) {
      problems.required(
          field(pod), "the annotation %s needs it".formatted(KueueNames.POD_GROUP_TOTAL));
    }
    if (!group.isEmpty()) {
      problems.invalidIf(NameSyntax.subdomainProblem(group), field(pod), group);
      checkPrebuilt(pod, group, problems);
    }
    if (!group.isEmpty() && !counted) {
      problems.required(TOTAL, "a pod of a group must say how many pods there are");
    }
    if (counted) {
      checkTotal(pod.annotation(KueueNames.POD_GROUP_TOTAL), problems);
    }
  }

  private static void checkPrebuilt(ApiObject pod, String group, ValidationErrors problems) {
    String prebuilt = ManagedJobs.prebuilt(pod);
    if (!prebuilt.isEmpty() && !prebuilt.equals(group)) {
      problems.invalid(
          MetadataRules.label(KueueNames.PREBUILT_WORKLOAD),
          prebuilt,
          "must be the name of the group, which is \"%s\"".formatted(ValidationErrors.cut(group)));
    }
  }

  private static void checkTotal(String value, ValidationErrors problems) {
    if (Int32.positive(value).isEmpty()) {
      problems.invalid(TOTAL, value, "must be a whole number greater than 0");
    }
  }

  static void checkChange(ApiObject before, ApiObject after, ValidationErrors problems) {
    if (!ManagedJobs.podGroup(before).isEmpty()) {
      problems.immutable(field(before), ManagedJobs.podGroup(before), ManagedJobs.podGroup(after));
    }
    if (!ManagedJobs.podGroup(after).isEmpty() && isFinal(before) && !isFinal(after)) {
      problems.forbidden(
          MetadataRules.annotation(KueueNames.RETRIABLE_IN_GROUP),
          "a group whose failure is final cannot be made retriable again");
    }
  }

  private static boolean isFinal(ApiObject pod) {
    return pod.annotation(KueueNames.RETRIABLE_IN_GROUP).equals("false");
  }

  private static String field(ApiObject pod) {
    return pod.annotation(KueueNames.POD_GROUP).isEmpty()
        ? MetadataRules.label(KueueNames.POD_GROUP)
        : MetadataRules.annotation(KueueNames.POD_GROUP);
  }
}
