package dev.sluice.model.kwok;

import dev.sluice.model.ApiObject;
import dev.sluice.model.CustomDefinition;
import java.util.List;
import java.util.stream.Stream;

/** The CustomResourceDefinitions of the KWOK kinds that Sluice supports. */
public final class KwokDefinitions {
  private KwokDefinitions() {}

  public static List<ApiObject> all() {
    return Stream.of("stages", "resourceusages", "clusterresourceusages", "metrics")
        .map(plural -> CustomDefinition.brought("/kwok-crds/" + plural + ".yaml"))
        .toList();
  }
}
