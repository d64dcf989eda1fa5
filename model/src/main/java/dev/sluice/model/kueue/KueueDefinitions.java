package dev.sluice.model.kueue;

import dev.sluice.model.ApiObject;
import dev.sluice.model.CustomDefinition;
import java.util.List;
import java.util.SortedSet;

/**
 * The CustomResourceDefinitions of Kueue's kinds, as Sluice brings them, each in two versions.
 * Where these differ in shape, whoever serves them converts with {@link KueueConversion}.
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

  /** All of them, with plain trees: the files' anchors are resolved. */
  public static List<ApiObject> all() {
    return FILES.stream().map(name -> CustomDefinition.brought("/crds/" + name + ".yaml")).toList();
  }

  /** The plural names of the kinds whose versions differ in shape. */
  public static SortedSet<String> converted() {
    return KueueConversion.converted();
  }
}
