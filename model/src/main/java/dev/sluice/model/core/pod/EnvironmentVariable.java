package dev.sluice.model.core.pod;

import dev.sluice.model.tree.Tree;

/** One entry of {@code env}: a name, and where its value comes from. */
public record EnvironmentVariable(String name, Source source) {

  /** Where a value comes from. */
  public sealed interface Source {}

  /** From the entry itself; may name other variables as {@code $(NAME)}. */
  public record Literal(String value) implements Source {}

  /** From an entry of a ConfigMap or Secret. */
  public record Key(boolean secret, String object, String key, boolean optional)
      implements Source {}

  /** From a file of variables in a volume of the pod. */
  public record FileKey(String volume, String path, String key, boolean optional)
      implements Source {}

  /** From a field of the pod. */
  public record Field(String path) implements Source {}

  /** From what a container asks for. */
  public record Resource(Tree reference) implements Source {}

  /** From something that this version knows nothing of. */
  public record Other(String field) implements Source {}

  static EnvironmentVariable of(Tree tree) {
    return new EnvironmentVariable(tree.text("name"), source(tree));
  }

  private static Source source(Tree tree) {
    if (!(tree.at("valueFrom") instanceof Tree from) || from.isEmpty()) {
      return new Literal(tree.text("value"));
    }
    String field = from.names().getFirst();
    Tree reference = from.tree(field);
    return switch (field) {
      case "configMapKeyRef", "secretKeyRef" ->
          new Key(
              field.equals("secretKeyRef"),
              reference.text("name"),
              reference.text("key"),
              reference.flag("optional"));
      case "fileKeyRef" ->
          new FileKey(
              reference.text("volumeName"),
              reference.text("path"),
              reference.text("key"),
              reference.flag("optional"));
      case "fieldRef" -> new Field(reference.text("fieldPath"));
      case "resourceFieldRef" -> new Resource(reference);
      default -> new Other(field);
    };
  }
}
