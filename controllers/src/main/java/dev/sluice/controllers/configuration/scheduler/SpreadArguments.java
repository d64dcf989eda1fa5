package dev.sluice.controllers.configuration.scheduler;

import dev.sluice.controllers.configuration.file.NameRules;
import dev.sluice.controllers.configuration.file.Section;
import dev.sluice.engine.scheduling.framework.Profile.SpreadRules;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.model.tree.Tree;
import java.util.TreeSet;

/** The arguments of PodTopologySpread. */
final class SpreadArguments {
  private static final String TYPE = "defaultingType";
  private static final String CONSTRAINTS = "defaultConstraints";
  private static final String ACTION = "whenUnsatisfiable";

  private SpreadArguments() {}

  static SpreadRules read(Section arguments) {
    boolean system = arguments.choice(TYPE, "System", "List").equals("System");
    var seen = new TreeSet<String>();
    var constraints = arguments.sections(CONSTRAINTS);
    for (Section constraint : constraints) {
      check(constraint);
      String what = constraint.text("topologyKey", "") + " " + constraint.text(ACTION, "");
      if (!seen.add(what)) {
        constraint.wrong("topologyKey", "is there twice with the same " + ACTION);
      }
    }
    if (!system) {
      Tree list = Tree.EMPTY.with("topologySpreadConstraints", arguments.value(CONSTRAINTS));
      return new SpreadRules(false, new PodSpec(list).spreadConstraints());
    }
    if (!constraints.isEmpty()) {
      arguments.wrong(TYPE, "must be List where %s are given".formatted(CONSTRAINTS));
    }
    return SpreadRules.DEFAULT;
  }

  private static void check(Section constraint) {
    constraint.whole("maxSkew", 1, 1);
    if (!constraint.has("maxSkew")) {
      constraint.wrong("maxSkew", "is missing; it must be at least 1");
    }
    String key = constraint.text("topologyKey", "");
    if (!NameRules.isQualified(key)) {
      constraint.wrong("topologyKey", "\"%s\" is not the key of a label".formatted(key));
    }
    String action = constraint.choice(ACTION, "DoNotSchedule", "ScheduleAnyway");
    if (!constraint.has(ACTION)) {
      constraint.wrong(ACTION, "is missing; it is DoNotSchedule or ScheduleAnyway");
    }
    constraint.whole("minDomains", 1, 1);
    if (action.equals("ScheduleAnyway") && constraint.has("minDomains")) {
      constraint.wrong("minDomains", "must not be given with ScheduleAnyway");
    }
    constraint.choice("nodeAffinityPolicy", "Honor", "Ignore");
    constraint.choice("nodeTaintsPolicy", "Ignore", "Honor");
    if (constraint.has("labelSelector")) {
      constraint.wrong("labelSelector", "must not be given: it is found for each pod");
    }
    constraint.noEffect("the selector is found for each pod", "matchLabelKeys");
    constraint.end();
  }
}
