package dev.sluice.model;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;

/** A CustomResourceDefinition. */
public record CustomDefinition(ApiObject object) {

  /** A definition that is part of Sluice, by the path of its file, with anchors resolved. */
  public static ApiObject brought(String path) {
    try (InputStream file =
        Objects.requireNonNull(CustomDefinition.class.getResourceAsStream(path), path)) {
      String yaml = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      return ApiObject.of(Yaml.parseAll(yaml).getFirst());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** The kind that it defines, in its storage version. */
  public ResourceKind kind() {
    return kind(
        object.spec().trees("versions").stream()
            .filter(candidate -> candidate.flag("storage"))
            .findFirst()
            .map(storage -> storage.text("name"))
            .orElse(""));
  }

  /** The kind in a version in which clients can use it, its storage version if that is one. */
  public Optional<ResourceKind> servedKind() {
    return object.spec().trees("versions").stream()
        .filter(version -> version.flag("served"))
        .min(Comparator.comparing((Tree version) -> !version.flag("storage")))
        .map(version -> kind(version.text("name")));
  }

  private ResourceKind kind(String version) {
    Tree spec = object.spec();
    return new ResourceKind(
        spec.text("group"),
        version,
        spec.text("names", "kind"),
        spec.text("names", "plural"),
        spec.text("scope").equals("Namespaced"));
  }
}
