package dev.sluice.apiserver.cel;

import dev.sluice.apiserver.schema.ListType;
import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.cel.Weighed;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Value;
import java.util.AbstractList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.RandomAccess;

/** An array of the API as a CEL list. Elements are converted when they are read. */
final class ListView extends AbstractList<Object> implements RandomAccess, Weighed {
  private final Schema schema;
  private final Schema element;
  private final Items items;

  ListView(Schema schema, Items items) {
    this.schema = schema;
    this.element = schema.items().orElse(Schema.ANY);
    this.items = items;
  }

  /** The array behind the view. */
  Items items() {
    return items;
  }

  ListType type() {
    return schema.listType();
  }

  @Override
  public long weight(long enough) {
    return CustomValues.weight(items);
  }

  @Override
  public Object get(int index) {
    return CustomValues.of(element, items.values().get(index));
  }

  @Override
  public int size() {
    return items.values().size();
  }

  /** The elements of a set or a map by their identity; the first of each. */
  Map<Value, Object> byIdentity() {
    Map<Value, Object> elements = new LinkedHashMap<>();
    for (Value item : items.values()) {
      Value identity = type() == ListType.MAP ? schema.keysOf(item) : item;
      elements.putIfAbsent(identity, CustomValues.of(element, item));
    }
    return elements;
  }
}
