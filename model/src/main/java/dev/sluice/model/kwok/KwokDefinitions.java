package dev.sluice.model.kwok;

import dev.sluice.model.ApiObject;
import dev.sluice.model.CustomDefinition;
import java.util.List;

/** The CustomResourceDefinitions of those of KWOK's kinds that Sluice understands. */
public final class KwokDefinitions {
  private KwokDefinitions() {}

  public static List<ApiObject> all() {
    return List.of(CustomDefinition.brought("/kwok-crds/stages.yaml"));
  }
}
