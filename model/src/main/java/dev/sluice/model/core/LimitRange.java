package dev.sluice.model.core;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantities;
import dev.sluice.model.tree.Tree;
import java.util.List;

/** A LimitRange: default, minimum and maximum resources of the pods of a namespace. */
public record LimitRange(ApiObject object) {

  public List<Item> items() {
    return object.spec().trees("limits").stream().map(Item::new).toList();
  }

  /** The limits for one type of object. */
  public record Item(Tree tree) {

    /** Such as {@code Container} or {@code Pod}. */
    public String type() {
      return tree.text("type");
    }

    public Quantities defaultLimits() {
      return Quantities.of(tree.tree("default"));
    }

    public Quantities defaultRequests() {
      return Quantities.of(tree.tree("defaultRequest"));
    }

    public Quantities min() {
      return Quantities.of(tree.tree("min"));
    }

    /** The maximum ratio of limit to request. */
    public Quantities maxRatio() {
      return Quantities.of(tree.tree("maxLimitRequestRatio"));
    }

    public Quantities max() {
      return Quantities.of(tree.tree("max"));
    }
  }
}
