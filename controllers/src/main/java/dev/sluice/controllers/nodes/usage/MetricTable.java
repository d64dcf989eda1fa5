package dev.sluice.controllers.nodes.usage;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantity;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A parsed Metric object, and the only place that knows the names of its fields.
 *
 * @param path where it is served, with {@code {nodeName}} for the name of the node
 */
record MetricTable(String path, List<Series> series) {
  private static final String ROOT = "/metrics";
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
  private static final Pattern LABEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");

  MetricTable {
    series = List.copyOf(series);
  }

  /** The objects for which a series has values. */
  enum Dimension {
    NODE,
    POD,
    CONTAINER
  }

  enum Kind {
    COUNTER,
    GAUGE,
    HISTOGRAM
  }

  record Label(String name, String expression) {}

  /**
   * A bucket of a histogram.
   *
   * @param hidden whether it only adds to the next one
   */
  record Bucket(BigDecimal most, String expression, boolean hidden) {}

  /**
   * One metric.
   *
   * @param value its expression; empty for a histogram
   * @param buckets of a histogram, the smallest first
   */
  record Series(
      String name,
      String help,
      Kind kind,
      Dimension dimension,
      List<Label> labels,
      String value,
      List<Bucket> buckets) {
    Series {
      labels = List.copyOf(labels);
      buckets = List.copyOf(buckets);
    }
  }

  static <E extends Enum<E>> String word(E choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Parses an object, without the metrics that have errors.
   *
   * @param programs compiles its expressions
   */
  static MetricTable read(ApiObject object, Programs programs, ValidationErrors problems) {
    String path = object.spec().text("path");
    if (!path.startsWith(ROOT + "/")) {
      problems.invalid("spec.path", path, "must begin with /metrics/");
    }
    var series = new ArrayList<Series>();
    List<Tree> metrics = object.spec().trees("metrics");
    for (int i = 0; i < metrics.size(); i++) {
      var found = new ValidationErrors();
      Series one = series(metrics.get(i), "spec.metrics[%d]".formatted(i), programs, found);
      if (found.isEmpty()) {
        series.add(one);
      }
      problems.addAll(found.causes());
    }
    return new MetricTable(path, series);
  }

  private static Series series(
      Tree metric, String field, Programs programs, ValidationErrors problems) {
    String name = metric.text("name");
    if (!NAME.matcher(name).matches()) {
      problems.invalid(field + ".name", name, "must be letters, digits, _ and :, no digit first");
    }
    Kind kind =
        choice(Kind.values(), metric.text("kind"), field + ".kind", problems).orElse(Kind.GAUGE);
    Dimension dimension =
        metric.text("dimension").isEmpty()
            ? Dimension.NODE
            : choice(Dimension.values(), metric.text("dimension"), field + ".dimension", problems)
                .orElse(Dimension.NODE);
    if (kind != Kind.HISTOGRAM) {
      tryOut(metric.text("value"), field + ".value", programs, problems);
    }
    return new Series(
        name,
        metric.text("help").strip(),
        kind,
        dimension,
        labels(metric, field + ".labels", programs, problems),
        metric.text("value"),
        kind == Kind.HISTOGRAM
            ? buckets(metric, field + ".buckets", programs, problems)
            : List.of());
  }

  private static <E extends Enum<E>> Optional<E> choice(
      E[] choices, String word, String field, ValidationErrors problems) {
    problems.oneOf(field, word, Stream.of(choices).map(MetricTable::word).toList());
    return Stream.of(choices).filter(one -> word(one).equals(word)).findFirst();
  }

  private static List<Label> labels(
      Tree metric, String field, Programs programs, ValidationErrors problems) {
    var labels = new ArrayList<Label>();
    for (Tree label : metric.trees("labels")) {
      String at = "%s[%d]".formatted(field, labels.size());
      if (!LABEL.matcher(label.text("name")).matches()) {
        problems.invalid(
            at + ".name", label.text("name"), "must be letters, digits and _, no digit first");
      }
      tryOut(label.text("value"), at + ".value", programs, problems);
      labels.add(new Label(label.text("name"), label.text("value")));
    }
    return labels;
  }

  private static List<Bucket> buckets(
      Tree metric, String field, Programs programs, ValidationErrors problems) {
    var buckets = new ArrayList<Bucket>();
    for (Tree bucket : metric.trees("buckets")) {
      String at = "%s[%d]".formatted(field, buckets.size());
      tryOut(bucket.text("value"), at + ".value", programs, problems);
      BigDecimal most =
          UsageTable.quantity(bucket.at("le")).map(Quantity::value).orElse(BigDecimal.ZERO);
      buckets.add(new Bucket(most, bucket.text("value"), bucket.flag("hidden")));
    }
    if (buckets.isEmpty()) {
      problems.required(field, "a histogram needs them");
    }
    buckets.sort((one, other) -> one.most().compareTo(other.most()));
    return buckets;
  }

  private static void tryOut(
      String expression, String field, Programs programs, ValidationErrors all) {
    if (expression.isBlank()) {
      all.required(field, "give an expression in CEL");
      return;
    }
    try {
      programs.of(expression);
    } catch (IllegalArgumentException malformed) {
      all.invalid(field, expression, String.valueOf(malformed.getMessage()));
    }
  }
}
