package dev.sluice.simulator.scenario;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A scenario file: the same YAML that kubectl applies, in which documents may say that they happen
 * later, and at most one Scenario object, which says everything else.
 *
 * @param steps in the order of the file
 * @param documents the place of each step's document in the file
 * @param settings the Scenario object; empty for a file without one
 * @param spec what that object says
 */
public record Scenario(
    List<ScenarioStep> steps, List<Integer> documents, Tree settings, ScenarioSpec spec) {
  static final String KIND = "Scenario";
  private static final String GROUP = "sluice.dev/";
  private static final Schema SCHEMA = Schema.load();

  public Scenario {
    steps = List.copyOf(steps);
    documents = List.copyOf(documents);
  }

  /** A scenario of steps alone. */
  public Scenario(List<ScenarioStep> steps) {
    this(steps, IntStream.range(0, steps.size()).boxed().toList(), Tree.EMPTY, ScenarioSpec.NONE);
  }

  /**
   * Reads a scenario that names no files.
   *
   * @throws MalformedText if it cannot be read
   */
  public static Scenario parse(String yaml) {
    return parse(
        yaml,
        file -> {
          throw new MalformedText(file + " is not known here");
        });
  }

  /**
   * Reads a scenario.
   *
   * @param files the text of a file that the scenario names
   * @throws MalformedText if it is not YAML, one of its documents is no API object, or its Scenario
   *     object is wrong; with line and field
   */
  public static Scenario parse(String yaml, Function<String, String> files) {
    var reader = new ScenarioReader(yaml, files);
    return reader.read(Yaml.parseAll(yaml));
  }

  /**
   * The scenario with the changes of one of its variants.
   *
   * @param files the text of a file that the scenario names
   * @throws MalformedText if the changed Scenario object is wrong
   */
  public Scenario with(Variant variant, Function<String, String> files) {
    var changed = new ArrayList<ScenarioStep>();
    for (ScenarioStep step : steps) {
      changed.add(new ScenarioStep(step.at(), step.deed(), changed(step.object(), variant)));
    }
    Tree patched = changed(new ApiObject(settings), variant).tree();
    if (patched.equals(settings)) {
      return new Scenario(changed, documents, settings, spec);
    }
    try {
      return new Scenario(changed, documents, patched, spec(patched, files));
    } catch (InvalidField wrong) {
      throw new MalformedText("variant %s: %s".formatted(variant.name(), wrong.getMessage()));
    }
  }

  private static ApiObject changed(ApiObject object, Variant variant) {
    ApiObject changed = object;
    for (ApiObject replacement : variant.replacements()) {
      changed = isSame(replacement, object) ? replacement : changed;
    }
    for (Variant.Patch patch : variant.patches()) {
      if (patch.isFor(object)) {
        changed = new ApiObject(MergePatch.apply(changed.tree(), patch.patch()));
      }
    }
    return changed;
  }

  static boolean isSame(ApiObject replacement, ApiObject object) {
    return replacement.kind().equals(object.kind())
        && replacement.name().equals(object.name())
        && replacement.namespace().equals(object.namespace());
  }

  static boolean isSettings(ApiObject object) {
    return object.apiVersion().startsWith(GROUP) || object.kind().equals(KIND);
  }

  static ScenarioSpec spec(Tree settings, Function<String, String> files) {
    SCHEMA.check(settings);
    return new SpecReader(files).read(settings);
  }

  /** The place of the Scenario object among the documents of the file, if it has one. */
  public int settingsDocument() {
    int place = 0;
    while (documents.contains(place)) {
      place++;
    }
    return place;
  }

  /** The file that reads as this scenario. */
  public String yaml() {
    var texts = new ArrayList<String>();
    if (!settings.isEmpty()) {
      texts.add(Yaml.write(settings));
    }
    steps.forEach(step -> texts.add(Yaml.write((Value) step.document().tree())));
    return String.join("---\n", texts);
  }
}
