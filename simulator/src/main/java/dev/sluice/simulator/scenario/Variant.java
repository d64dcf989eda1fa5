package dev.sluice.simulator.scenario;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Tree;
import java.util.List;

/** A scenario with other policies: changes to objects of its file. */
public record Variant(String name, List<Patch> patches, List<ApiObject> replacements) {
  public Variant {
    patches = List.copyOf(patches);
    replacements = List.copyOf(replacements);
  }

  /**
   * A merge patch of the objects of a kind with a name.
   *
   * @param namespace empty for that of the object, whatever it is
   */
  public record Patch(String kind, String name, String namespace, Tree patch) {
    boolean isFor(ApiObject object) {
      return object.kind().equals(kind)
          && object.name().equals(name)
          && (namespace.isEmpty() || object.namespace().equals(namespace));
    }
  }
}
