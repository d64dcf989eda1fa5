package dev.sluice.controllers.configuration;

import dev.sluice.controllers.configuration.Configuration.ResourceRules;
import dev.sluice.controllers.configuration.file.NameRules;
import dev.sluice.controllers.configuration.file.Section;
import dev.sluice.engine.requests.RequestRules;
import dev.sluice.engine.requests.Transformation;
import dev.sluice.model.Quantities;
import dev.sluice.model.Quantity;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The section {@code resources}: the rules by which the requests of pods become requests for quota.
 */
final class ResourceSection {
  private static final String EXCLUDED = "excludeResourcePrefixes";
  private static final String STRATEGY = "quotaCheckStrategy";

  private ResourceSection() {}

  static ResourceRules read(Section root, Set<Gate> gates) {
    Section section = root.section("resources");
    List<String> excluded = section.texts(EXCLUDED);
    if (excluded.contains("")) {
      section.wrong(EXCLUDED, "an empty prefix would exclude every resource; remove it");
    }
    boolean ignoresUndeclared =
        section.choice(STRATEGY, "BlockUndeclared", "IgnoreUndeclared").equals("IgnoreUndeclared");
    if (ignoresUndeclared && !excluded.isEmpty()) {
      section.wrong(EXCLUDED, "cannot be given together with IgnoreUndeclared; remove one");
    }
    if (!gates.contains(Gate.QUOTA_CHECK_STRATEGY)) {
      section.noEffect("the gate QuotaCheckStrategy is false", STRATEGY);
      ignoresUndeclared = false;
    }
    List<Transformation> transformations = transformations(section);
    section.noEffect(
        "dynamic resource allocation is not part of Sluice yet", "deviceClassMappings");
    section.end();
    return new ResourceRules(new RequestRules(excluded, transformations), ignoresUndeclared);
  }

  private static List<Transformation> transformations(Section resources) {
    var transformations = new ArrayList<Transformation>();
    var inputs = new TreeSet<String>();
    for (Section section : resources.sections("transformations")) {
      Transformation transformation = transformation(section);
      if (!inputs.add(transformation.input())) {
        section.wrong(
            "input",
            "%s is the input of another transformation too; join them"
                .formatted(section.shown("input")));
      }
      transformations.add(transformation);
    }
    return transformations;
  }

  private static Transformation transformation(Section section) {
    String input = section.text("input", "");
    if (!NameRules.isQualified(input)) {
      section.wrong("input", "\"%s\" is not the name of a resource".formatted(input));
    }
    String multiplyBy = section.text("multiplyBy", "");
    if (!multiplyBy.isEmpty() && !NameRules.isQualified(multiplyBy)) {
      section.wrong("multiplyBy", "\"%s\" is not the name of a resource".formatted(multiplyBy));
    }
    boolean replaces = section.choice("strategy", "Retain", "Replace").equals("Replace");
    Quantities outputs = quantities(section.section("outputs"));
    section.end();
    return new Transformation(input, replaces, multiplyBy, outputs);
  }

  private static Quantities quantities(Section section) {
    var quantities = new TreeMap<String, Quantity>();
    for (String resource : section.names()) {
      Value value = section.value(resource);
      boolean isQuantity =
          value instanceof Value.Whole
              || value instanceof Value.Decimal
              || Quantity.parse(value.asText()).isPresent();
      if (isQuantity && NameRules.isQualified(resource)) {
        quantities.put(resource, Quantity.of(value));
      } else {
        section.wrong(
            resource,
            "%s is not a quantity of a resource; write it like \"500m\", \"2\" or \"1Gi\""
                .formatted(section.shown(resource)));
      }
    }
    return new Quantities(quantities);
  }
}
