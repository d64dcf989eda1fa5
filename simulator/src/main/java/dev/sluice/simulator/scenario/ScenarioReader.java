package dev.sluice.simulator.scenario;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Reads the documents of a scenario file; every message begins with the line it is about. */
final class ScenarioReader {
  private final String yaml;
  private final Function<String, String> files;
  private final List<ScenarioStep> steps = new ArrayList<>();
  private final List<Integer> documents = new ArrayList<>();
  private Tree settings = Tree.EMPTY;
  private int settingsDocument;

  ScenarioReader(String yaml, Function<String, String> files) {
    this.yaml = yaml;
    this.files = files;
  }

  Scenario read(List<Value> values) {
    for (int document = 0; document < values.size(); document++) {
      read(object(values.get(document), document), document);
    }
    if (values.isEmpty()) {
      throw new MalformedText("it holds no objects");
    }
    if (settings.isEmpty()) {
      return new Scenario(steps, documents, settings, ScenarioSpec.NONE);
    }
    try {
      ScenarioSpec spec = Scenario.spec(settings, files);
      requireKnownObjects(spec);
      return new Scenario(steps, documents, settings, spec);
    } catch (InvalidField wrong) {
      throw wrong(settingsDocument, wrong.path(), String.valueOf(wrong.getMessage()));
    }
  }

  private void read(ApiObject object, int document) {
    if (!Scenario.isSettings(object)) {
      try {
        steps.add(ScenarioStep.of(object));
      } catch (MalformedText malformed) {
        throw wrong(document, List.of(), String.valueOf(malformed.getMessage()));
      }
      documents.add(document);
    } else if (settings.isEmpty()) {
      settings = object.tree();
      settingsDocument = document;
    } else {
      throw wrong(
          document,
          List.of(),
          "Scenario %s is the second Scenario object; a file has at most one"
              .formatted(object.name()));
    }
  }

  private ApiObject object(Value value, int document) {
    if (!(value instanceof Tree tree)) {
      throw wrong(document, List.of(), "document %d is not an object".formatted(document + 1));
    }
    var object = new ApiObject(tree);
    if (object.apiVersion().isEmpty() || object.kind().isEmpty()) {
      throw wrong(
          document, List.of(), "document %d has no apiVersion or no kind".formatted(document + 1));
    }
    return object;
  }

  /** A change of an object that is not there would be no change, and not be noticed. */
  private void requireKnownObjects(ScenarioSpec spec) {
    var objects = new ArrayList<>(steps.stream().map(ScenarioStep::object).toList());
    objects.add(new ApiObject(settings));
    Section section = new Section(settings.tree("spec"), List.of("spec"));
    for (int i = 0; i < spec.variants().size(); i++) {
      Variant variant = spec.variants().get(i);
      Section fields = section.section("variants", i);
      for (int j = 0; j < variant.patches().size(); j++) {
        Variant.Patch patch = variant.patches().get(j);
        if (objects.stream().noneMatch(patch::isFor)) {
          throw fields.section("patches", j).invalid("name", missing(patch, objects));
        }
      }
      for (int j = 0; j < variant.replacements().size(); j++) {
        ApiObject replacement = variant.replacements().get(j);
        if (objects.stream().noneMatch(object -> Scenario.isSame(replacement, object))) {
          var named = new Variant.Patch(replacement.kind(), replacement.name(), "", Tree.EMPTY);
          throw fields.section("replacements", j).invalid("metadata", missing(named, objects));
        }
      }
    }
  }

  private static String missing(Variant.Patch patch, List<ApiObject> objects) {
    List<String> names =
        objects.stream()
            .filter(object -> object.kind().equals(patch.kind()))
            .map(ApiObject::name)
            .toList();
    return names.isEmpty()
        ? SpecReader.unknown(patch.kind(), "kind", objects.stream().map(ApiObject::kind).toList())
        : SpecReader.unknown(patch.name(), patch.kind(), names);
  }

  private MalformedText wrong(int document, List<String> path, String message) {
    return new MalformedText("line %d: %s".formatted(Yaml.line(yaml, document, path), message));
  }
}
