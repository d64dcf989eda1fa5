package dev.sluice.controllers.queueing.rules;

import dev.sluice.model.ApiObject;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.kueue.KueueNames;
import java.util.List;
import java.util.TreeSet;

/**
 * The rules for admission gates, which keep a job or workload from being queued: a list of names,
 * separated by commas. The owner of a gate removes it. None can be added later, when quota may be
 * reserved already.
 */
final class GateRules {
  private static final String FIELD = MetadataRules.annotation(KueueNames.ADMISSION_GATED_BY);

  private GateRules() {}

  static void check(ApiObject object, ValidationErrors problems) {
    String value = object.annotation(KueueNames.ADMISSION_GATED_BY);
    if (value.isEmpty()) {
      return;
    }
    var seen = new TreeSet<String>();
    for (String gate : gates(value)) {
      String problem =
          seen.add(gate) ? NameSyntax.qualifiedNameProblem(gate) : "the gate is named twice";
      if (!problem.isEmpty()) {
        // One error is enough: a hostile list could have a hundred thousand.
        problems.invalid(FIELD, gate, problem);
        return;
      }
    }
  }

  static void checkUpdate(ApiObject before, ApiObject after, ValidationErrors problems) {
    String value = after.annotation(KueueNames.ADMISSION_GATED_BY);
    if (value.isEmpty()) {
      return;
    }
    var known = new TreeSet<>(gates(before.annotation(KueueNames.ADMISSION_GATED_BY)));
    gates(value).stream()
        .filter(gate -> !known.contains(gate))
        .findFirst()
        .ifPresent(added ->
            problems.forbidden(
                FIELD,
                "the gate \"%s\" cannot be added after creation; gates can only be removed"
                    .formatted(ValidationErrors.cut(added))));
  }

  private static List<String> gates(String value) {
    return List.of(value.split(",", -1));
  }
}
