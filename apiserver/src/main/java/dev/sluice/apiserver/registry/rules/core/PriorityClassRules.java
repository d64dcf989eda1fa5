package dev.sluice.apiserver.registry.rules.core;

import dev.sluice.apiserver.registry.rules.Edits;
import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The rules of PriorityClasses. The highest values are reserved for the two system classes. */
public final class PriorityClassRules implements KindRules {
  /** The default preemption policy: preempt pods of lower priority. */
  public static final String PREEMPT = "PreemptLowerPriority";

  private static final String RESERVED = "system-";
  private static final long HIGHEST = 1_000_000_000;
  private static final SortedMap<String, Long> SYSTEM =
      new TreeMap<>(
          Map.of(
              "system-cluster-critical", 2_000_000_000L, "system-node-critical", 2_000_001_000L));

  /** The classes that every cluster has. */
  public static List<ApiObject> system() {
    return SYSTEM.entrySet().stream()
        .map(entry ->
            ApiObject.of(Kinds.PRIORITY_CLASS, "", entry.getKey())
                .with(List.of("value"), entry.getValue())
                .with(List.of("description"), "For pods that the cluster cannot do without."))
        .toList();
  }

  @Override
  public ApiObject withDefaults(ApiObject object) {
    return new ApiObject(Edits.orElse(object.tree(), "preemptionPolicy", PREEMPT));
  }

  @Override
  public void check(ApiObject object, ValidationErrors problems) {
    Tree tree = object.tree();
    long value = tree.whole("value").orElse(0);
    boolean system = SYSTEM.containsKey(object.name()) && SYSTEM.get(object.name()) == value;
    if (object.name().startsWith(RESERVED) && !system) {
      problems.forbidden(
          "metadata.name",
          "priority class names with 'system-' prefix are reserved for system use");
    } else if (value > HIGHEST && !system) {
      problems.forbidden("value", "maximum allowed value of a user defined priority is " + HIGHEST);
    }
    problems.oneOf("preemptionPolicy", tree.text("preemptionPolicy"), List.of("Never", PREEMPT));
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after, ValidationErrors problems) {
    if (before.tree().whole("value").orElse(0) != after.tree().whole("value").orElse(0)) {
      problems.forbidden("value", "may not be changed in an update.");
    }
    problems.immutable(
        "preemptionPolicy",
        before.tree().text("preemptionPolicy"),
        after.tree().text("preemptionPolicy"));
  }
}
