package dev.sluice.apiserver.apply;

import dev.sluice.apiserver.schema.Schema;
import dev.sluice.apiserver.schema.Type;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.Map;
import java.util.Optional;

/**
 * The parts of built-in objects that always exist on the real server, because they are structs in
 * Go. A manager that sets the first field in one of them must not become the owner of the part
 * itself. In our objects these parts may be absent.
 */
final class Structs {
  private static final Map<String, Value> ALWAYS_THERE =
      Map.of(
          "metadata", Tree.EMPTY,
          "spec", Tree.EMPTY,
          "status", Tree.EMPTY,
          "template", Tree.EMPTY,
          "names", Tree.EMPTY,
          "involvedObject", Tree.EMPTY,
          "source", Tree.EMPTY,
          "containers", Value.Null.NULL);

  private Structs() {}

  /** The object, or a part of it, with all such parts filled in. */
  static Tree filled(Schema schema, Tree object) {
    Tree filled = object;
    for (Map.Entry<String, Value> part : ALWAYS_THERE.entrySet()) {
      String name = part.getKey();
      Optional<Schema> field = Optional.ofNullable(schema.properties().get(name));
      if (field.isPresent()) {
        Value value = object.has(name) ? object.at(name) : part.getValue();
        boolean struct = field.get().type() == Type.OBJECT && value instanceof Tree;
        filled = filled.with(name, struct ? filled(field.get(), value.asTree()) : value);
      }
    }
    return filled;
  }
}
