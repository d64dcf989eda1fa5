package dev.sluice.model.core.pod;

import dev.sluice.model.tree.Tree;

/** One entry of {@code env}: a name and the source of its value. */
public record EnvironmentVariable(String name, Source source) {

  /** The source of a value. */
  public sealed interface Source {}

  /** A literal, which may contain other variables as {@code $(NAME)}. */
  public record Literal(String value) implements Source {}

  /** An entry of a ConfigMap or Secret. */
  public record Key(boolean secret, String object, String key, boolean optional)
      implements Source {}

  /** An entry of a file in a volume of the pod. */
  public record FileKey(String volume, String path, String key, boolean optional)
      implements Source {}

  /** A field of the pod. */
  public record Field(String path) implements Source {}

  /** A resource of a container. */
  public record Resource(Tree reference) implements Source {}

  /** A source that this version does not support. */
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
