package dev.sluice.controllers.nodes.usage;

import dev.sluice.controllers.nodes.OwnYaml;
import dev.sluice.model.ApiObject;
import java.util.List;

/** The default objects, where users define none. */
final class OwnDocuments {
  static final List<ApiObject> USAGE = OwnYaml.read("/usage/usage-from-annotation.yaml");
  static final List<ApiObject> METRICS = OwnYaml.read("/usage/metrics-resource.yaml");

  private OwnDocuments() {}
}
