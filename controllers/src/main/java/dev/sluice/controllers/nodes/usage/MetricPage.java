package dev.sluice.controllers.nodes.usage;

import dev.cel.runtime.CelFunctionBinding;
import dev.sluice.controllers.nodes.cel.CelFailedException;
import dev.sluice.controllers.nodes.cel.CelLanguage;
import dev.sluice.model.bounds.Meter;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.Pod;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * A page of metrics in Prometheus' text format. A value that cannot be computed is omitted, and a
 * comment says why.
 *
 * <p>Threads: none; it belongs to its writer.
 */
final class MetricPage {
  private final Programs programs;
  private final Instant now;
  private final RandomGenerator random;
  private final Map<String, StringBuilder> parts = new LinkedHashMap<>();

  MetricPage(Programs programs, Instant now, RandomGenerator random) {
    this.programs = programs;
    this.now = now;
    this.random = random;
  }

  String text() {
    return String.join("", parts.values());
  }

  /** Adds the metrics of a node. */
  void add(MetricTable table, Reading reading) {
    table.series().forEach(series -> add(series, reading));
  }

  private void add(MetricTable.Series series, Reading reading) {
    StringBuilder part =
        parts.computeIfAbsent(
            series.name(),
            name ->
                new StringBuilder()
                    .append("# HELP %s %s\n".formatted(name, escaped(series.help())))
                    .append("# TYPE %s %s\n".formatted(name, MetricTable.word(series.kind()))));
    Subject node = reading.subject();
    if (series.dimension() == MetricTable.Dimension.NODE) {
      sample(part, series, node, reading.functions());
      return;
    }
    for (Pod pod : reading.pods()) {
      Subject about = node.with(pod);
      List<CelFunctionBinding> functions = reading.functionsOf(pod);
      if (series.dimension() == MetricTable.Dimension.POD) {
        sample(part, series, about, functions);
      } else {
        for (Container container : pod.spec().containers()) {
          sample(part, series, about.with(container), functions);
        }
      }
    }
  }

  private void sample(
      StringBuilder part,
      MetricTable.Series series,
      Subject subject,
      List<CelFunctionBinding> functions) {
    try {
      var labels = new ArrayList<String>();
      for (MetricTable.Label label : series.labels()) {
        Object value = evaluate(label.expression(), subject, functions);
        labels.add("%s=\"%s\"".formatted(label.name(), quoted(String.valueOf(value))));
      }
      part.append(
          series.kind() == MetricTable.Kind.HISTOGRAM
              ? histogram(series, labels, subject, functions)
              : line(
                  series.name(), labels, Numbers.of(evaluate(series.value(), subject, functions))));
    } catch (CelFailedException failed) {
      part.append("# %s: %s\n".formatted(series.name(), failed.why()));
    }
  }

  private Object evaluate(String expression, Subject subject, List<CelFunctionBinding> functions) {
    return programs
        .of(expression)
        .evaluate(subject.variables(), now, random, functions, new Meter(CelLanguage.MAX_STEPS));
  }

  /** The counts are cumulative; each observation counts as the upper bound of its bucket. */
  private String histogram(
      MetricTable.Series series,
      List<String> labels,
      Subject subject,
      List<CelFunctionBinding> functions) {
    var text = new StringBuilder();
    BigDecimal count = BigDecimal.ZERO;
    BigDecimal sum = BigDecimal.ZERO;
    for (MetricTable.Bucket bucket : series.buckets()) {
      BigDecimal own =
          Numbers.of(evaluate(bucket.expression(), subject, functions)).max(BigDecimal.ZERO);
      count = count.add(own);
      sum = sum.add(own.multiply(bucket.most()));
      if (!bucket.hidden()) {
        text.append(bucket(series, labels, plain(bucket.most()), count));
      }
    }
    return text.append(bucket(series, labels, "+Inf", count))
        .append(line(series.name() + "_sum", labels, sum))
        .append(line(series.name() + "_count", labels, count))
        .toString();
  }

  private static String bucket(
      MetricTable.Series series, List<String> labels, String most, BigDecimal count) {
    var more = new ArrayList<>(labels);
    more.add("le=\"%s\"".formatted(most));
    return line(series.name() + "_bucket", more, count);
  }

  private static String line(String name, List<String> labels, BigDecimal value) {
    String braces = labels.isEmpty() ? "" : "{" + String.join(",", labels) + "}";
    return "%s%s %s\n".formatted(name, braces, plain(value));
  }

  private static String plain(BigDecimal value) {
    return value.stripTrailingZeros().toPlainString();
  }

  private static String quoted(String text) {
    return escaped(text).replace("\"", "\\\"");
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\n", "\\n");
  }
}
