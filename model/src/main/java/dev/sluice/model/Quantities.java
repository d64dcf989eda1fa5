package dev.sluice.model;

import dev.sluice.model.tree.Tree;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;

/**
 * Exact quantities of resources, as they are written in objects.
 *
 * <p>{@link Amounts} are for counting and comparing; quantities are for the arithmetic before that,
 * which must not round: two containers of half a unit need one unit, not two.
 */
public record Quantities(SortedMap<String, Quantity> byResource) {
  public static final Quantities NONE = new Quantities(new TreeMap<>());

  public Quantities {
    byResource = Collections.unmodifiableSortedMap(new TreeMap<>(byResource));
  }

  /** The quantities of a field such as {@code requests}. */
  public static Quantities of(Tree field) {
    var quantities = new TreeMap<String, Quantity>();
    field.forEach((resource, value) -> quantities.put(resource, Quantity.of(value)));
    return new Quantities(quantities);
  }

  public static Quantities of(Amounts amounts) {
    var quantities = new TreeMap<String, Quantity>();
    amounts.forEach(
        (resource, amount) -> quantities.put(resource, Amounts.quantity(resource, amount)));
    return new Quantities(quantities);
  }

  public Quantity get(String resource) {
    return byResource.getOrDefault(resource, Quantity.ZERO);
  }

  public boolean has(String resource) {
    return byResource.containsKey(resource);
  }

  public boolean isEmpty() {
    return byResource.isEmpty();
  }

  public void forEach(BiConsumer<String, Quantity> action) {
    byResource.forEach(action);
  }

  public Quantities plus(Quantities other) {
    return merge(other, Quantity::plus);
  }

  /** The maximum of both, resource by resource. */
  public Quantities max(Quantities other) {
    return merge(other, (mine, theirs) -> mine.compareTo(theirs) >= 0 ? mine : theirs);
  }

  /** The minimum of both, resource by resource; a resource that only one has is taken from it. */
  public Quantities min(Quantities other) {
    return merge(other, (mine, theirs) -> mine.compareTo(theirs) <= 0 ? mine : theirs);
  }

  /** These quantities, and those of the others for the resources that are missing here. */
  public Quantities orElse(Quantities others) {
    return merge(others, (mine, theirs) -> mine);
  }

  private Quantities merge(Quantities other, BinaryOperator<Quantity> operator) {
    if (other.isEmpty()) {
      return this;
    }
    var merged = new TreeMap<>(byResource);
    other.forEach((resource, quantity) -> merged.merge(resource, quantity, operator));
    return new Quantities(merged);
  }

  /** The amounts, each rounded up to the unit of its resource. */
  public Amounts amounts() {
    var amounts = new TreeMap<String, Long>();
    byResource.forEach(
        (resource, quantity) -> amounts.put(resource, Amounts.in(resource, quantity)));
    return new Amounts(amounts);
  }

  /** The quantities as a field. */
  public Tree tree() {
    var field = new TreeMap<String, String>();
    byResource.forEach((resource, quantity) -> field.put(resource, quantity.toString()));
    return Tree.of(field);
  }
}
