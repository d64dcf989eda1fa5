package dev.sluice.controllers.nodes.usage;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantity;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A parsed ResourceUsage or ClusterResourceUsage, and the only place that knows the names of their
 * fields.
 *
 * @param namespaces of the pods it is for; empty for all
 * @param names of the pods it is for; empty for all
 */
record UsageTable(List<String> namespaces, List<String> names, List<Line> lines) {

  UsageTable {
    namespaces = List.copyOf(namespaces);
    names = List.copyOf(names);
    lines = List.copyOf(lines);
  }

  /** The used amount of a resource. */
  sealed interface Amount {
    record Fixed(BigDecimal value) implements Amount {}

    record Computed(String expression) implements Amount {}
  }

  /**
   * The usage of some containers.
   *
   * @param containers their names; empty for all
   */
  record Line(List<String> containers, SortedMap<String, Amount> amounts) {
    Line {
      containers = List.copyOf(containers);
      amounts = Collections.unmodifiableSortedMap(new TreeMap<>(amounts));
    }
  }

  boolean concerns(Pod pod) {
    return (namespaces.isEmpty() || namespaces.contains(pod.namespace()))
        && (names.isEmpty() || names.contains(pod.name()));
  }

  /** The line for a container: one that names it, otherwise the first that names none. */
  Optional<Line> of(String container) {
    return lines.stream()
        .filter(line -> line.containers().contains(container))
        .findFirst()
        .or(() -> lines.stream().filter(line -> line.containers().isEmpty()).findFirst());
  }

  /**
   * Parses an object, without the parts that have errors.
   *
   * @param programs compiles its expressions
   */
  static UsageTable read(ApiObject object, Programs programs, ValidationErrors problems) {
    var lines = new ArrayList<Line>();
    List<Tree> usages = object.spec().trees("usages");
    for (int i = 0; i < usages.size(); i++) {
      String field = "spec.usages[%d].usage".formatted(i);
      lines.add(
          new Line(
              usages.get(i).textItems("containers"),
              amounts(usages.get(i).tree("usage"), field, programs, problems)));
    }
    Tree selector = object.spec().tree("selector");
    return new UsageTable(
        selector.textItems("matchNamespaces"), selector.textItems("matchNames"), lines);
  }

  /** A string or a plain number as a quantity. */
  static Optional<Quantity> quantity(Value said) {
    return switch (said) {
      case Value.Text(String text) -> Quantity.parse(text);
      case Value.Whole _, Value.Decimal _ -> Optional.of(Quantity.of(said));
      case Value.Flag _, Value.Null _, Value.Container _ -> Optional.empty();
    };
  }

  private static SortedMap<String, Amount> amounts(
      Tree usage, String field, Programs programs, ValidationErrors problems) {
    var amounts = new TreeMap<String, Amount>();
    for (String resource : usage.names()) {
      String at = "%s[%s]".formatted(field, resource);
      amount(usage.tree(resource), at, programs, problems)
          .ifPresent(amount -> amounts.put(resource, amount));
    }
    return amounts;
  }

  private static Optional<Amount> amount(
      Tree amount, String field, Programs programs, ValidationErrors problems) {
    if (amount.has("value")) {
      Value said = amount.at("value");
      Optional<Quantity> value = quantity(said).filter(found -> !found.isNegative());
      if (value.isEmpty()) {
        problems.invalid(field + ".value", said, "must be a quantity that is not negative");
      }
      return value.map(found -> new Amount.Fixed(found.value()));
    }
    String expression = amount.text("expression");
    if (expression.isBlank()) {
      problems.required(field, "give a value or an expression");
      return Optional.empty();
    }
    try {
      programs.of(expression);
      return Optional.of(new Amount.Computed(expression));
    } catch (IllegalArgumentException malformed) {
      problems.invalid(field + ".expression", expression, String.valueOf(malformed.getMessage()));
      return Optional.empty();
    }
  }
}
