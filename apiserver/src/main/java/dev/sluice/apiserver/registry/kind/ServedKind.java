package dev.sluice.apiserver.registry.kind;

import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.ResourceKind;
import java.util.List;

/**
 * A kind that the server serves, with everything discovery, OpenAPI and printing tell of it.
 *
 * @param builtIn false for a kind that a CustomResourceDefinition brought
 * @param columns the printer columns of a custom kind; the built-in ones have theirs in code
 */
public record ServedKind(
    ResourceKind kind,
    String singular,
    List<String> shortNames,
    List<String> categories,
    List<String> verbs,
    List<Subresource> subresources,
    boolean builtIn,
    Schema schema,
    List<Column> columns) {

  public ServedKind {
    shortNames = List.copyOf(shortNames);
    categories = List.copyOf(categories);
    verbs = List.copyOf(verbs);
    subresources = List.copyOf(subresources);
    columns = List.copyOf(columns);
  }

  /** Whether its objects have a path of this name below them. */
  public boolean has(String subresource) {
    for (Subresource one : subresources) {
      if (one.name().equals(subresource)) {
        return true;
      }
    }
    return false;
  }

  /** A path below an object, such as {@code status}; {@code body} is the kind it speaks of. */
  public record Subresource(String name, ResourceKind body, List<String> verbs) {
    public Subresource {
      verbs = List.copyOf(verbs);
    }
  }

  /** One column of {@code kubectl get}; a priority above zero shows only in wide output. */
  public record Column(
      String name,
      String type,
      String format,
      String description,
      long priority,
      String jsonPath) {}
}
