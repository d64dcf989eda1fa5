package dev.sluice.apiserver.registry.rules.pod;

import dev.sluice.model.Quantity;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.stream.Stream;

/** The quality of service class of a pod, which follows from the resources of its containers. */
final class QualityOfService {
  private static final List<String> COUNTED = List.of("cpu", "memory");

  private QualityOfService() {}

  /** The class of a pod with this spec. */
  static String of(Tree spec) {
    List<Tree> resources =
        spec.has("resources") && asksForAnything(spec.tree("resources"))
            ? List.of(spec.tree("resources"))
            : Stream.concat(
                    spec.trees("containers").stream(), spec.trees("initContainers").stream())
                .map(container -> container.tree("resources"))
                .toList();
    if (resources.stream().noneMatch(QualityOfService::asksForAnything)) {
      return "BestEffort";
    }
    return resources.stream().allMatch(QualityOfService::limitsAllItAsksFor)
        ? "Guaranteed"
        : "Burstable";
  }

  private static boolean asksForAnything(Tree resources) {
    return COUNTED.stream()
        .anyMatch(name ->
            amount(resources, "requests", name).value().signum() > 0
                || amount(resources, "limits", name).value().signum() > 0);
  }

  private static boolean limitsAllItAsksFor(Tree resources) {
    return COUNTED.stream()
        .allMatch(name -> {
          Quantity limit = amount(resources, "limits", name);
          boolean asked = resources.tree("requests").has(name);
          return limit.value().signum() > 0
              && (!asked || amount(resources, "requests", name).compareTo(limit) == 0);
        });
  }

  private static Quantity amount(Tree resources, String list, String name) {
    return Quantity.of(resources.at(list, name));
  }
}
