package dev.sluice.model.kueue;

import dev.sluice.model.ApiObject;
import dev.sluice.model.CustomDefinition;
import java.util.List;
import java.util.SortedSet;

/**
 * The CustomResourceDefinitions of Kueue's kinds, each in two versions. Where these differ in
 * structure, the server converts with {@link KueueConversion}.
 */
public final class KueueDefinitions {
  private static final List<String> FILES =
      List.of(
          "resourceflavors",
          "clusterqueues",
          "cohorts",
          "localqueues",
          "workloads",
          "workloadpriorityclasses",
          "admissionchecks",
          "topologies",
          "provisioningrequestconfigs",
          "multikueueconfigs",
          "multikueueclusters");

  private KueueDefinitions() {}

  /** All definitions, with anchors resolved. */
  public static List<ApiObject> all() {
    return FILES.stream().map(name -> CustomDefinition.brought("/crds/" + name + ".yaml")).toList();
  }

  /** The plural names of the kinds whose versions differ in structure. */
  public static SortedSet<String> converted() {
    return KueueConversion.converted();
  }
}
