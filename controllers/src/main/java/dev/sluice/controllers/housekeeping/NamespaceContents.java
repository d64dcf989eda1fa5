package dev.sluice.controllers.housekeeping;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What remains in a terminating namespace, as its conditions say it. */
final class NamespaceContents {
  private final SortedMap<String, Integer> resources = new TreeMap<>();
  private final SortedMap<String, Integer> finalizers = new TreeMap<>();

  void add(ResourceKind kind, List<ApiObject> objects) {
    if (!objects.isEmpty()) {
      resources.put(kind.plural() + "." + kind.group(), objects.size());
    }
    for (ApiObject object : objects) {
      object.finalizers().forEach(finalizer -> finalizers.merge(finalizer, 1, Integer::sum));
    }
  }

  boolean isEmpty() {
    return resources.isEmpty();
  }

  /** The status of the namespace with the five conditions of Kubernetes. */
  Tree in(Tree status, Instant now) {
    Tree shown = status;
    for (Condition condition : conditions()) {
      shown = condition.in(shown, now);
    }
    return shown;
  }

  private List<Condition> conditions() {
    return List.of(
        new Condition(
            "NamespaceDeletionDiscoveryFailure",
            false,
            "ResourcesDiscovered",
            "All resources successfully discovered"),
        new Condition(
            "NamespaceDeletionGroupVersionParsingFailure",
            false,
            "ParsedGroupVersions",
            "All legacy kube types successfully parsed"),
        new Condition(
            "NamespaceDeletionContentFailure",
            false,
            "ContentDeleted",
            "All content successfully deleted, may be waiting on finalization"),
        condition(
            "NamespaceContentRemaining",
            resources,
            "SomeResourcesRemain",
            "Some resources are remaining: ",
            "%s has %d resource instances",
            new Condition(
                "NamespaceContentRemaining",
                false,
                "ContentRemoved",
                "All content successfully removed")),
        condition(
            "NamespaceFinalizersRemaining",
            finalizers,
            "SomeFinalizersRemain",
            "Some content in the namespace has finalizers remaining: ",
            "%s in %d resource instances",
            new Condition(
                "NamespaceFinalizersRemaining",
                false,
                "ContentHasNoFinalizers",
                "All content-preserving finalizers finished")));
  }

  private static Condition condition(
      String type,
      SortedMap<String, Integer> counts,
      String reason,
      String start,
      String each,
      Condition none) {
    if (counts.isEmpty()) {
      return none;
    }
    List<String> parts =
        counts.entrySet().stream()
            .map(count -> each.formatted(count.getKey(), count.getValue()))
            .toList();
    return new Condition(type, true, reason, start + String.join(", ", parts));
  }
}
