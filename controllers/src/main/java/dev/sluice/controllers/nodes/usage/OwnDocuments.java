package dev.sluice.controllers.nodes.usage;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** What holds where users say nothing themselves. */
final class OwnDocuments {
  static final List<ApiObject> USAGE = read("/usage/usage-from-annotation.yaml");
  static final List<ApiObject> METRICS = read("/usage/metrics-resource.yaml");

  private OwnDocuments() {}

  private static List<ApiObject> read(String path) {
    try (InputStream resource =
        Objects.requireNonNull(OwnDocuments.class.getResourceAsStream(path), path)) {
      String yaml = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
      return Yaml.parseAll(yaml).stream().map(ApiObject::of).toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
