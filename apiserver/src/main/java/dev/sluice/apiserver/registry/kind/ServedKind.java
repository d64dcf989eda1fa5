package dev.sluice.apiserver.registry.kind;

import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.ResourceKind;
import java.util.List;

/**
 * A served kind, with its data for discovery, OpenAPI and printing.
 *
 * @param builtIn false for a kind of a CustomResourceDefinition
 * @param columns the printer columns of a custom kind; those of built-in kinds are code
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

  /** Whether it has this subresource. */
  public boolean has(String subresource) {
    for (Subresource one : subresources) {
      if (one.name().equals(subresource)) {
        return true;
      }
    }
    return false;
  }

  /** A subresource such as {@code status}; {@code body} is the kind of its body. */
  public record Subresource(String name, ResourceKind body, List<String> verbs) {
    public Subresource {
      verbs = List.copyOf(verbs);
    }
  }

  /** One column of {@code kubectl get}; a priority above zero is shown in wide output only. */
  public record Column(
      String name,
      String type,
      String format,
      String description,
      long priority,
      String jsonPath) {}
}
