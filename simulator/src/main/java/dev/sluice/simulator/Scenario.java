package dev.sluice.simulator;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import java.util.ArrayList;
import java.util.List;

/** The objects of a scenario, in the order of its file: the same YAML that kubectl applies. */
public record Scenario(List<ApiObject> objects) {

  public Scenario {
    objects = List.copyOf(objects);
  }

  /**
   * Reads a scenario.
   *
   * @throws MalformedText if the text is no YAML, or one of its documents no API object
   */
  public static Scenario parse(String yaml) {
    var objects = new ArrayList<ApiObject>();
    for (Value document : Yaml.parseAll(yaml)) {
      objects.add(object(document, objects.size() + 1));
    }
    if (objects.isEmpty()) {
      throw new MalformedText("it holds no objects");
    }
    return new Scenario(objects);
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
}
