package dev.sluice.model.core.pod;

import dev.sluice.model.Quantities;
import dev.sluice.model.tree.Tree;
import java.util.List;

/** The field {@code resources} of a container, or of a pod as a whole. */
public record ResourceNeeds(Quantities requests, Quantities limits) {
  private static final String FIELD = "resources";
  private static final String REQUESTS = "requests";
  private static final String LIMITS = "limits";

  static ResourceNeeds of(Tree owner) {
    return new ResourceNeeds(
        Quantities.of(owner.tree(FIELD, REQUESTS)), Quantities.of(owner.tree(FIELD, LIMITS)));
  }

  public boolean isEmpty() {
    return requests.isEmpty() && limits.isEmpty();
  }

  /** The owner with these; other entries of the field, such as device claims, stay. */
  Tree in(Tree owner) {
    return with(with(owner, REQUESTS, requests), LIMITS, limits);
  }

  private static Tree with(Tree owner, String name, Quantities quantities) {
    List<String> path = List.of(FIELD, name);
    return quantities.isEmpty() ? owner.without(path) : owner.with(path, quantities.tree());
  }
}
