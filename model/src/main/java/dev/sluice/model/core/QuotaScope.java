package dev.sluice.model.core;

import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import java.util.List;

/**
 * A scope of a ResourceQuota, which selects pods.
 *
 * @param name such as {@code BestEffort} or {@code PriorityClass}
 * @param operator the operator for the values, if the scope has values
 */
public record QuotaScope(String name, String operator, List<String> values) {
  public static final String TERMINATING = "Terminating";
  public static final String NOT_TERMINATING = "NotTerminating";
  public static final String BEST_EFFORT = "BestEffort";
  public static final String NOT_BEST_EFFORT = "NotBestEffort";
  public static final String PRIORITY_CLASS = "PriorityClass";
  public static final String CROSS_NAMESPACE = "CrossNamespacePodAffinity";

  public QuotaScope {
    values = List.copyOf(values);
  }

  /** A scope without values. */
  static QuotaScope of(String name) {
    return new QuotaScope(name, "Exists", List.of());
  }

  static QuotaScope of(Tree expression) {
    return new QuotaScope(
        expression.text("scopeName"), expression.text("operator"), expression.textItems("values"));
  }

  boolean covers(Pod pod) {
    return switch (name) {
      case TERMINATING -> pod.spec().activeDeadline().isPresent();
      case NOT_TERMINATING -> pod.spec().activeDeadline().isEmpty();
      case BEST_EFFORT -> isBestEffort(pod);
      case NOT_BEST_EFFORT -> !isBestEffort(pod);
      case PRIORITY_CLASS -> coversClass(pod.spec().priorityClassName());
      case CROSS_NAMESPACE -> looksElsewhere(pod.spec().tree().tree("affinity"));
      default -> false;
    };
  }

  private static boolean isBestEffort(Pod pod) {
    return pod.status().tree().text("qosClass").equals("BestEffort");
  }

  private boolean coversClass(String priorityClass) {
    return switch (operator) {
      case "In" -> values.contains(priorityClass);
      case "NotIn" -> !values.contains(priorityClass);
      case "DoesNotExist" -> priorityClass.isEmpty();
      default -> !priorityClass.isEmpty();
    };
  }

  /** Whether an affinity refers to pods in other namespaces. */
  private static boolean looksElsewhere(Tree affinity) {
    return List.of("podAffinity", "podAntiAffinity").stream()
        .map(affinity::tree)
        .anyMatch(side ->
            side.trees("requiredDuringSchedulingIgnoredDuringExecution").stream()
                    .anyMatch(QuotaScope::namesOthers)
                || side.trees("preferredDuringSchedulingIgnoredDuringExecution").stream()
                    .anyMatch(term -> namesOthers(term.tree("podAffinityTerm"))));
  }

  private static boolean namesOthers(Tree term) {
    return !term.items("namespaces").isEmpty() || term.has("namespaceSelector");
  }
}
