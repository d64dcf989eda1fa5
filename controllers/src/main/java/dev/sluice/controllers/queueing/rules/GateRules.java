package dev.sluice.controllers.queueing.rules;

import dev.sluice.model.ApiObject;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.kueue.KueueNames;
import java.util.List;
import java.util.TreeSet;

/**
 * The gates that hold a job or workload back before it is queued: names with commas between them.
 * Whoever owns a gate takes it away; nobody adds one later, when quota may have been given already.
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
        // One is enough: a hostile list could be wrong a hundred thousand times.
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
