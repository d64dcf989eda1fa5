package dev.sluice.apiserver.cel;

import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.cel.Weighed;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An object of the API as a CEL map. Values are converted when they are read. */
abstract sealed class ObjectView extends AbstractMap<String, Object> implements Weighed {
  final Tree tree;

  private ObjectView(Tree tree) {
    this.tree = tree;
  }

  /** The object behind the view. */
  Tree tree() {
    return tree;
  }

  /** The name in the tree of the field that rules read under a key, if they can. */
  abstract Optional<String> fieldOf(String key);

  /** The key under which rules read a field, if they can. */
  abstract Optional<String> keyOf(String field);

  abstract Object convert(String field, Value value);

  @Override
  public long weight(long enough) {
    return CustomValues.weight(tree);
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return key instanceof String name && fieldOf(name).filter(tree::has).isPresent();
  }

  @Override
  public @Nullable Object get(@Nullable Object key) {
    if (!(key instanceof String name)) {
      return null;
    }
    Optional<String> field = fieldOf(name).filter(tree::has);
    return field.isPresent() ? convert(field.get(), tree.at(field.get())) : null;
  }

  @Override
  public Set<Entry<String, Object>> entrySet() {
    Map<String, Object> entries = new LinkedHashMap<>();
    tree.forEach(
        (field, value) -> keyOf(field).ifPresent(key -> entries.put(key, convert(field, value))));
    return entries.entrySet();
  }

  /** A map with free keys and values of one schema. */
  static final class OfMap extends ObjectView {
    private final Schema values;

    OfMap(Schema values, Tree tree) {
      super(tree);
      this.values = values;
    }

    @Override
    Optional<String> fieldOf(String key) {
      return Optional.of(key);
    }

    @Override
    Optional<String> keyOf(String field) {
      return Optional.of(field);
    }

    @Override
    Object convert(String field, Value value) {
      return CustomValues.of(values, value);
    }

    @Override
    public int size() {
      return tree.size();
    }
  }

  /** An object with declared fields; rules cannot read others. */
  static final class OfFields extends ObjectView {
    private static final Schema TEXT = Schema.ofType("string");
    private final Schema schema;

    OfFields(Schema schema, Tree tree) {
      super(tree);
      this.schema = schema;
    }

    @Override
    Optional<String> fieldOf(String key) {
      String field = Names.unescape(key);
      return isVisible(field) ? Optional.of(field) : Optional.empty();
    }

    @Override
    Optional<String> keyOf(String field) {
      return isVisible(field) ? Names.escape(field) : Optional.empty();
    }

    private boolean isVisible(String field) {
      return schema.properties().containsKey(field) || isOfResource(field);
    }

    private boolean isOfResource(String field) {
      return schema.isResource()
          && (field.equals("apiVersion") || field.equals("kind") || field.equals("metadata"));
    }

    @Override
    Object convert(String field, Value value) {
      if (!isOfResource(field)) {
        return CustomValues.of(schema.properties().getOrDefault(field, Schema.ANY), value);
      }
      return value instanceof Tree metadata
          ? new OfMap(TEXT, visible(metadata))
          : CustomValues.of(TEXT, value);
    }

    private static Tree visible(Tree metadata) {
      Tree visible = Tree.EMPTY;
      for (String field : CustomValues.VISIBLE_METADATA) {
        visible = metadata.has(field) ? visible.with(field, metadata.at(field)) : visible;
      }
      return visible;
    }
  }
}
