package dev.sluice.controllers.configuration;

import dev.sluice.controllers.configuration.file.NameRules;
import dev.sluice.model.core.pod.Pod;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rules that map running pods to LocalQueues in an import; the first rule that matches a pod
 * applies.
 */
public record QueueMapping(List<Rule> rules) {
  public QueueMapping {
    rules = List.copyOf(rules);
  }

  /**
   * A rule.
   *
   * @param priorityClassName the priority class of the pod; empty for any
   * @param labels the labels that the pod must have; an empty value also matches a missing label
   * @param localQueue the LocalQueue of the pod; empty if the pod is skipped
   */
  public record Rule(
      String priorityClassName, SortedMap<String, String> labels, Optional<String> localQueue) {
    public Rule {
      labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    private boolean matches(Pod pod) {
      return (priorityClassName.isEmpty()
              || priorityClassName.equals(pod.spec().priorityClassName()))
          && labels.entrySet().stream()
              .allMatch(label -> pod.object().label(label.getKey()).equals(label.getValue()));
    }
  }

  /**
   * A rule for every value of one label.
   *
   * @throws IllegalArgumentException if a name is not a valid name of a LocalQueue
   */
  public static QueueMapping byLabel(String label, SortedMap<String, String> queues) {
    for (String queue : queues.values()) {
      if (!NameRules.isSubdomain(queue)) {
        throw new IllegalArgumentException("\"%s\" is no name of a LocalQueue".formatted(queue));
      }
    }
    return new QueueMapping(
        queues.entrySet().stream()
            .map(entry ->
                new Rule(
                    "",
                    new TreeMap<>(Collections.singletonMap(label, entry.getKey())),
                    Optional.of(entry.getValue())))
            .toList());
  }

  /** The rule that applies to a pod, if any. */
  public Optional<Rule> ruleFor(Pod pod) {
    return rules.stream().filter(rule -> rule.matches(pod)).findFirst();
  }
}
