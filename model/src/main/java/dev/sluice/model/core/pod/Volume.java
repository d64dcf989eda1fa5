package dev.sluice.model.core.pod;

import dev.sluice.model.tree.Tree;
import java.util.List;

/** One volume of a pod: its name and its sources. */
public record Volume(String name, List<Source> sources) {
  public Volume {
    sources = List.copyOf(sources);
  }

  /** The source of a volume; only a projected volume has several. */
  public sealed interface Source {}

  /** An empty directory. */
  public record Empty() implements Source {}

  /** A file or directory of the node. */
  public record HostPath(String path, String type) implements Source {}

  /**
   * Entries of a ConfigMap or Secret, each as a file.
   *
   * @param entries the files, all of them if empty
   */
  public record Keys(boolean secret, String object, List<Entry> entries, boolean optional, int mode)
      implements Source {
    public Keys {
      entries = List.copyOf(entries);
    }
  }

  /** Downward API fields, each as a file. */
  public record Downward(List<DownwardEntry> entries, int mode) implements Source {
    public Downward {
      entries = List.copyOf(entries);
    }
  }

  /** A source that this version does not support. */
  public record Other(String field) implements Source {}

  /** An entry of an object, and the file that shows it. */
  public record Entry(String key, String path, int mode) {}

  /** A field of the pod or a resource of a container, and the file that shows it. */
  public record DownwardEntry(String path, String field, Tree resource, int mode) {}

  private static final int USUAL_MODE = 0644;

  static Volume of(Tree tree) {
    String field =
        tree.names().stream().filter(name -> !name.equals("name")).findFirst().orElse("emptyDir");
    Tree source = tree.tree(field);
    int mode = (int) source.whole("defaultMode").orElse(USUAL_MODE);
    List<Source> sources =
        field.equals("projected")
            ? source.trees("sources").stream().map(each -> projected(each, mode)).toList()
            : List.of(source(field, source, mode));
    return new Volume(tree.text("name"), sources);
  }

  private static Source projected(Tree projection, int mode) {
    String field = projection.names().stream().findFirst().orElse("");
    return source(field, projection.tree(field), mode);
  }

  private static Source source(String field, Tree source, int mode) {
    return switch (field) {
      case "emptyDir" -> new Empty();
      case "hostPath" -> new HostPath(source.text("path"), source.text("type"));
      case "configMap" ->
          new Keys(false, source.text("name"), entries(source, mode), optional(source), mode);
      case "secret" -> {
        // The field is secretName in a volume and name in a projection.
        String name = source.text("secretName");
        yield new Keys(
            true,
            name.isEmpty() ? source.text("name") : name,
            entries(source, mode),
            optional(source),
            mode);
      }
      case "downwardAPI" -> new Downward(downward(source, mode), mode);
      default -> new Other(field);
    };
  }

  private static boolean optional(Tree source) {
    return source.flag("optional");
  }

  private static List<Entry> entries(Tree source, int mode) {
    return source.trees("items").stream()
        .map(item ->
            new Entry(item.text("key"), item.text("path"), (int) item.whole("mode").orElse(mode)))
        .toList();
  }

  private static List<DownwardEntry> downward(Tree source, int mode) {
    return source.trees("items").stream()
        .map(item ->
            new DownwardEntry(
                item.text("path"),
                item.text("fieldRef", "fieldPath"),
                item.tree("resourceFieldRef"),
                (int) item.whole("mode").orElse(mode)))
        .toList();
  }
}
