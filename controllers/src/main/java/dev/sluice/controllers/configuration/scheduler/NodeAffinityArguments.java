package dev.sluice.controllers.configuration.scheduler;

import dev.sluice.controllers.configuration.file.NameRules;
import dev.sluice.controllers.configuration.file.Section;
import dev.sluice.engine.scheduling.framework.Profile.AddedAffinity;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.regex.Pattern;

/** The arguments of NodeAffinity. */
final class NodeAffinityArguments {
  private static final String ADDED = "addedAffinity";
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final Pattern WHOLE = Pattern.compile("-?\\d{1,18}");

  private NodeAffinityArguments() {}

  static AddedAffinity read(Section arguments) {
    Section added = arguments.section(ADDED);
    if (added.has(REQUIRED)) {
      Section required = added.section(REQUIRED);
      List<Section> terms = required.sections("nodeSelectorTerms");
      if (terms.isEmpty()) {
        required.wrong("nodeSelectorTerms", "is empty; without a term no node would do");
      }
      terms.forEach(NodeAffinityArguments::check);
      required.end();
    }
    for (Section preferred : added.sections(PREFERRED)) {
      preferred.whole("weight", 1, 1, 100);
      if (!preferred.has("weight")) {
        preferred.wrong("weight", "is missing; it is from 1 to 100");
      }
      check(preferred.section("preference"));
      preferred.end();
    }
    added.end();
    var spec = new PodSpec(Tree.of("affinity", Tree.of("nodeAffinity", added.tree())));
    return new AddedAffinity(spec.nodeAffinity(), spec.preferredNodeTerms());
  }

  private static void check(Section term) {
    for (Section expression : term.sections("matchExpressions")) {
      String key = expression.text("key", "");
      if (!NameRules.isQualified(key)) {
        expression.wrong("key", "\"%s\" is not the key of a label".formatted(key));
      }
      checkValues(
          expression,
          expression.choice("operator", "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"));
      expression.end();
    }
    for (Section field : term.sections("matchFields")) {
      field.choice("key", "metadata.name");
      field.choice("operator", "In", "NotIn");
      if (field.texts("values").size() != 1) {
        field.wrong("values", "must be one name of a node");
      }
      field.end();
    }
    term.end();
  }

  private static void checkValues(Section expression, String operator) {
    List<String> values = expression.texts("values");
    String problem =
        switch (operator) {
          case "In", "NotIn" -> values.isEmpty() ? "is empty; name at least one value" : "";
          case "Gt", "Lt" ->
              values.size() == 1 && WHOLE.matcher(values.getFirst()).matches()
                  ? ""
                  : "must be one whole number in quotes";
          default -> values.isEmpty() ? "" : "must not be given";
        };
    if (!problem.isEmpty()) {
      expression.wrong("values", "%s for the operator %s".formatted(problem, operator));
    }
  }
}
