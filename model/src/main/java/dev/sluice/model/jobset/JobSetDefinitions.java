package dev.sluice.model.jobset;

import dev.sluice.model.ApiObject;
import dev.sluice.model.CustomDefinition;
import java.util.List;

/** The CustomResourceDefinition of JobSets. */
public final class JobSetDefinitions {
  private JobSetDefinitions() {}

  public static List<ApiObject> all() {
    return List.of(CustomDefinition.brought("/jobset-crds/jobsets.yaml"));
  }
}
