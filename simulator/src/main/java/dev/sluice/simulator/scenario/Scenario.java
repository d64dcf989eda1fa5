package dev.sluice.simulator.scenario;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import java.util.ArrayList;
import java.util.List;

/**
 * The steps of a scenario, in the order of its file: the same YAML that kubectl applies, in which
 * documents may say that they happen later.
 */
public record Scenario(List<ScenarioStep> steps) {

  public Scenario {
    steps = List.copyOf(steps);
  }

  /**
   * Reads a scenario.
   *
   * @throws MalformedText if it is not YAML, or one of its documents is not an API object
   */
  public static Scenario parse(String yaml) {
    var steps = new ArrayList<ScenarioStep>();
    for (Value document : Yaml.parseAll(yaml)) {
      steps.add(ScenarioStep.of(object(document, steps.size() + 1)));
    }
    if (steps.isEmpty()) {
      throw new MalformedText("it holds no objects");
    }
    return new Scenario(steps);
  }

  private static ApiObject object(Value document, int number) {
    if (!(document instanceof Tree tree)) {
      throw new MalformedText("document " + number + " is not an object");
    }
    var object = new ApiObject(tree);
    if (object.apiVersion().isEmpty() || object.kind().isEmpty()) {
      throw new MalformedText("document " + number + " has no apiVersion or no kind");
    }
    return object;
  }

  /** The file that reads as this scenario. */
  public String yaml() {
    return String.join(
        "---\n", steps.stream().map(step -> Yaml.write(step.document().tree())).toList());
  }
}
