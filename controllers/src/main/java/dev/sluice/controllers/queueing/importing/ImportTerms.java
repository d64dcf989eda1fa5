package dev.sluice.controllers.queueing.importing;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.QueueMapping;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.kueue.KueueNames;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The parameters of an import.
 *
 * @param namespaces the namespaces of the pods
 * @param labels additional labels for pods and workloads
 * @param configuration the configuration of queueing, which says how pods use quota
 * @param workers the number of pods written in parallel
 */
public record ImportTerms(
    List<String> namespaces,
    QueueMapping mapping,
    SortedMap<String, String> labels,
    Configuration configuration,
    int workers) {
  private static final List<String> RESERVED =
      List.of(KueueNames.QUEUE_NAME, KueueNames.MANAGED, KueueNames.JOB_UID);

  /** Throws an {@link IllegalArgumentException} if a label is invalid. */
  public ImportTerms {
    namespaces = namespaces.stream().distinct().toList();
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    labels.forEach(ImportTerms::requireLabel);
  }

  private static void requireLabel(String name, String value) {
    String problem = NameSyntax.qualifiedNameProblem(name);
    if (!problem.isEmpty()) {
      throw new IllegalArgumentException("the label \"%s\": %s".formatted(name, problem));
    }
    if (!NameSyntax.labelValueProblem(value).isEmpty()) {
      throw new IllegalArgumentException(
          "%s is \"%s\": %s".formatted(name, value, NameSyntax.labelValueProblem(value)));
    }
    if (RESERVED.contains(name)) {
      throw new IllegalArgumentException(
          "%s is set by the import itself; leave it out".formatted(name));
    }
  }
}
