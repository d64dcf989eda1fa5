package dev.sluice.controllers.configuration;

import dev.sluice.controllers.configuration.file.NameRules;
import dev.sluice.model.core.pod.Pod;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Which LocalQueue pods go to that run already: the first rule that matches a pod says it. */
public record QueueMapping(List<Rule> rules) {
  public QueueMapping {
    rules = List.copyOf(rules);
  }

  /**
   * One rule.
   *
   * @param priorityClassName what the pod must name; empty for any
   * @param labels what the pod must have, all of them; empty as a value also means none
   * @param localQueue where it goes; empty if it is left alone
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
   * @throws IllegalArgumentException if a queue has no name that a LocalQueue may have
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

  /** The rule that holds for a pod, if there is one. */
  public Optional<Rule> ruleFor(Pod pod) {
    return rules.stream().filter(rule -> rule.matches(pod)).findFirst();
  }
}
