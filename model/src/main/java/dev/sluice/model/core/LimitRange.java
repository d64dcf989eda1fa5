package dev.sluice.model.core;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantities;
import dev.sluice.model.tree.Tree;
import java.util.List;

/** What pods of a namespace get if they say nothing, and the least and most that they may say. */
public record LimitRange(ApiObject object) {

  public List<Item> items() {
    return object.spec().trees("limits").stream().map(Item::new).toList();
  }

  /** What holds for one type of thing. */
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

    /** How many times its request a limit may be at most. */
    public Quantities maxRatio() {
      return Quantities.of(tree.tree("maxLimitRequestRatio"));
    }

    public Quantities max() {
      return Quantities.of(tree.tree("max"));
    }
  }
}
