package dev.sluice.controllers.nodes;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The objects that come with the program, as YAML: the defaults where users define none. */
public final class OwnYaml {
  private OwnYaml() {}

  /**
   * The documents of a resource file.
   *
   * @param path such as {@code /stages/pods.yaml}
   */
  public static List<ApiObject> read(String path) {
    try (InputStream resource =
        Objects.requireNonNull(OwnYaml.class.getResourceAsStream(path), path)) {
      String yaml = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
      return Yaml.parseAll(yaml).stream().map(ApiObject::of).toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
