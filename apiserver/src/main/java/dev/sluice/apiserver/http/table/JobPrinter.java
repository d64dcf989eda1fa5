package dev.sluice.apiserver.http.table;

import static dev.sluice.apiserver.http.table.Printer.name;
import static dev.sluice.apiserver.http.table.Printer.orNone;
import static dev.sluice.apiserver.http.table.Printer.text;
import static dev.sluice.apiserver.http.table.Printer.wide;

import dev.sluice.apiserver.registry.kind.ServedKind.Column;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Rows of jobs. */
final class JobPrinter implements Printer {

  @Override
  public List<Column> columns() {
    return List.of(
        name(),
        text("Status", "How far the job is."),
        text("Completions", "How many pods have succeeded, of how many that must."),
        text("Duration", "How long the job took, or has been running."),
        Printer.age(),
        wide("Containers", "The containers of its pods."),
        wide("Images", "The images of its pods."),
        wide("Selector", "The labels by which it knows its pods."));
  }

  @Override
  public List<Value> cells(ApiObject job, Instant now) {
    List<Tree> containers = job.spec().trees("template", "spec", "containers");
    return Printer.row(
        job.name(),
        status(job),
        completions(job),
        duration(job.status(), now),
        Printer.ageOf(job, now),
        fields(containers, "name"),
        fields(containers, "image"),
        orNone(selector(job.spec().tree("selector"))));
  }

  private static String status(ApiObject job) {
    Tree status = job.status();
    if (Condition.holds(status, "Complete")) {
      return "Complete";
    }
    if (Condition.holds(status, "Failed")) {
      return "Failed";
    }
    if (job.isDeleting()) {
      return "Terminating";
    }
    for (String type : List.of("Suspended", "FailureTarget", "SuccessCriteriaMet")) {
      if (Condition.holds(status, type)) {
        return type;
      }
    }
    return "Running";
  }

  private static String completions(ApiObject job) {
    long succeeded = job.status().whole("succeeded").orElse(0);
    OptionalLong wanted = job.spec().whole("completions");
    long parallelism = job.spec().whole("parallelism").orElse(0);
    if (wanted.isPresent()) {
      return succeeded + "/" + wanted.getAsLong();
    }
    return parallelism > 1 ? succeeded + "/1 of " + parallelism : succeeded + "/1";
  }

  private static String duration(Tree status, Instant now) {
    Optional<Instant> started = Timestamps.parse(status.text("startTime"));
    Instant end = Timestamps.parse(status.text("completionTime")).orElse(now);
    return started.map(start -> Ages.text(Duration.between(start, end))).orElse("");
  }

  static String fields(List<Tree> trees, String field) {
    return trees.stream().map(tree -> tree.text(field)).collect(Collectors.joining(","));
  }

  /** A label selector in the syntax of kubectl. */
  static String selector(Tree selector) {
    var parts = new ArrayList<String>();
    selector.texts("matchLabels").forEach((label, value) -> parts.add(label + "=" + value));
    for (Tree expression : selector.trees("matchExpressions")) {
      String key = expression.text("key");
      String values = "(" + String.join(",", expression.textItems("values")) + ")";
      parts.add(
          switch (expression.text("operator")) {
            case "In" -> key + " in " + values;
            case "NotIn" -> key + " notin " + values;
            case "DoesNotExist" -> "!" + key;
            default -> key;
          });
    }
    return String.join(",", parts);
  }
}
