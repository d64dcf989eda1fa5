package dev.sluice.controllers.nodes.usage;

import dev.sluice.controllers.nodes.cel.CelFailedException;
import dev.sluice.controllers.nodes.cel.CelLanguage;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.bounds.Meter;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.Cluster;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The usage of the containers of simulated pods at one time. The ResourceUsage with the name of the
 * pod comes first, then the ClusterResourceUsages in the order of their names, then the pod's
 * annotations.
 *
 * <p>Threads: safe.
 */
final class Usages {
  static final List<String> VARIABLES = List.of("node", "pod", "container");

  /** Created with the first expression: most clusters have none, and it is expensive. */
  private static final class Language {
    static final CelLanguage OF_USAGE = new CelLanguage(VARIABLES, List.of());
  }

  private final Cluster cluster;
  private final Programs programs;
  private final Instant now;
  private final List<UsageTable> tables;

  Usages(Cluster cluster, Programs programs, Instant now) {
    this.cluster = cluster;
    this.programs = programs;
    this.now = now;
    this.tables =
        Stream.concat(
                cluster.list(Kinds.CLUSTER_RESOURCE_USAGE).stream(), OwnDocuments.USAGE.stream())
            .map(this::read)
            .toList();
  }

  static Programs programs() {
    return new Programs(() -> Language.OF_USAGE);
  }

  private UsageTable read(ApiObject object) {
    return UsageTable.read(object, programs, new ValidationErrors());
  }

  /**
   * The used amount of a resource of a container; zero if it is not defined.
   *
   * @param subject that container, for an expression
   * @throws CelFailedException if the expression fails
   */
  BigDecimal of(Pod pod, Container container, String resource, Supplier<Subject> subject) {
    return line(pod, container.name())
        .flatMap(line -> Optional.ofNullable(line.amounts().get(resource)))
        .map(amount -> value(amount, subject))
        .orElse(BigDecimal.ZERO);
  }

  private Optional<UsageTable.Line> line(Pod pod, String container) {
    Stream<UsageTable> own =
        cluster.get(Kinds.RESOURCE_USAGE.key(pod.namespace(), pod.name())).map(this::read).stream();
    return Stream.concat(own, tables.stream().filter(table -> table.concerns(pod)))
        .flatMap(table -> table.of(container).stream())
        .findFirst();
  }

  private BigDecimal value(UsageTable.Amount amount, Supplier<Subject> subject) {
    return switch (amount) {
      case UsageTable.Amount.Fixed(BigDecimal value) -> value;
      case UsageTable.Amount.Computed(String expression) ->
          Numbers.of(
                  programs
                      .of(expression)
                      .evaluate(
                          subject.get().variables(),
                          now,
                          cluster.random(),
                          List.of(),
                          new Meter(CelLanguage.MAX_STEPS)))
              .max(BigDecimal.ZERO);
    };
  }
}
