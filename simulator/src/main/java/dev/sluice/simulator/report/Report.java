package dev.sluice.simulator.report;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.simulator.result.JobResult;
import dev.sluice.simulator.result.RunResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/**
 * One page about the runs of a scenario. It needs no other file and no network, so it can be sent
 * to a person who has neither Sluice nor access to the cluster.
 *
 * <p>The page is bounded: charts have a fixed number of points, large groups are added up, and it
 * says which jobs it leaves out. Text from the runs is embedded as JSON in which no tag can end.
 *
 * @param title what the page is about
 * @param lead sentences at its top
 * @param runs the first one is what the others are compared with
 * @param tables further tables, such as those of a what-if
 */
public record Report(String title, List<String> lead, List<RunResult> runs, List<Table> tables) {
  /** How many variants are drawn at most; all are in the table. */
  static final int MAX_DRAWN = 8;

  private static final int MAX_REASONS = 50;
  private static final String CHARTS =
      "/META-INF/resources/_static/echarts/6.0.0/dist/echarts.min.js";

  public Report {
    lead = List.copyOf(lead);
    runs = List.copyOf(runs);
    tables = List.copyOf(tables);
  }

  /** A table of texts under a heading; {@code empty} stands there if it has no rows. */
  public record Table(String title, List<String> columns, List<List<String>> rows, String empty) {
    public Table {
      columns = List.copyOf(columns);
      rows = List.copyOf(rows);
    }

    Tree tree() {
      return Tree.of(
          "title", title,
          "columns", columns,
          "rows", Items.of(rows.stream().map(Items::of).toList()),
          "empty", empty);
    }
  }

  /** The page as HTML. */
  public String html() {
    return resource("/report/report.html")
        .replace("/*CHARTS*/", resource(CHARTS))
        .replace("/*SCRIPT*/", resource("/report/report.js"))
        .replace("{}/*DATA*/", embedded(data()));
  }

  /** JSON inside a script element: no {@code </script>} and no comment may begin in it. */
  private static String embedded(Tree data) {
    return Json.write(data)
        .replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029");
  }

  private Tree data() {
    var all = new ArrayList<Table>();
    all.add(figures());
    all.addAll(tables);
    all.add(unfinished());
    return Tree.of(
        "title",
        title,
        "lead",
        lead,
        "differences",
        differences(),
        "tables",
        Items.of(all.stream().map(Table::tree).toList()),
        "runs",
        Items.of(drawn().entrySet().stream().map(Report::drawn).toList()),
        "maxRows",
        RunData.MAX_ROWS,
        "left",
        names().size() - drawn().size());
  }

  private static Tree drawn(Map.Entry<String, RunResult> named) {
    return new RunData(named.getValue()).tree().with("name", named.getKey());
  }

  /** The first run of every variant, as far as they are drawn. */
  private Map<String, RunResult> drawn() {
    var drawn = new LinkedHashMap<String, RunResult>();
    for (RunResult run : runs) {
      if (drawn.size() < MAX_DRAWN) {
        drawn.putIfAbsent(variant(run), run);
      }
    }
    return drawn;
  }

  private TreeSet<String> names() {
    var names = new TreeSet<String>();
    runs.forEach(run -> names.add(variant(run)));
    return names;
  }

  private static String variant(RunResult run) {
    return run.name().variant().isEmpty() ? "as it is" : run.name().variant();
  }

  /** Variants are compared by runs of the same seed, which had the same arrivals. */
  private Items differences() {
    var trees = new ArrayList<Tree>();
    List<Map.Entry<String, RunResult>> named = List.copyOf(drawn().entrySet());
    for (Map.Entry<String, RunResult> other :
        named.subList(Math.min(1, named.size()), named.size())) {
      trees.add(
          Tree.of(
              "name", other.getKey(),
              "base", named.getFirst().getKey(),
              "sentences", Differences.of(named.getFirst().getValue(), other.getValue())));
    }
    return Items.of(trees);
  }

  private Table figures() {
    var resources = new TreeSet<String>();
    runs.forEach(run -> resources.addAll(Figures.of(run).utilisation().keySet()));
    var columns =
        new ArrayList<>(
            List.of(
                "Variant",
                "Seed",
                "Jobs",
                "Succeeded",
                "Failed",
                "Not ended",
                "Wait p50",
                "Wait p95",
                "Wait max",
                "Makespan",
                "Preemptions",
                "Evictions"));
    resources.forEach(resource -> columns.add(resource + " used"));
    return new Table(
        "Results", columns, runs.stream().map(run -> figures(run, resources)).toList(), "No run.");
  }

  private static List<String> figures(RunResult run, TreeSet<String> resources) {
    Figures figures = Figures.of(run);
    var cells = new ArrayList<String>();
    cells.add(variant(run));
    cells.add(String.valueOf(run.name().seed()));
    cells.add(String.valueOf(figures.jobs()));
    cells.add(String.valueOf(figures.succeeded()));
    cells.add(String.valueOf(figures.failed()));
    cells.add(String.valueOf(figures.unfinished()));
    for (double part : new double[] {0.5, 0.95, 1}) {
      cells.add(orNone(figures.wait(part)));
    }
    cells.add(Words.duration(figures.makespan()));
    cells.add(String.valueOf(figures.preemptions()));
    cells.add(String.valueOf(figures.evictions()));
    for (String resource : resources) {
      Double used = figures.utilisation().get(resource);
      cells.add(used == null ? "–" : Words.percent(used));
    }
    return cells;
  }

  private static String orNone(Optional<Duration> duration) {
    return duration.map(Words::duration).orElse("–");
  }

  private Table unfinished() {
    var rows = new ArrayList<List<String>>();
    int more = 0;
    for (Map.Entry<String, RunResult> named : drawn().entrySet()) {
      for (JobResult job : named.getValue().jobs()) {
        if (job.isEnded()) {
          continue;
        }
        if (rows.size() < MAX_REASONS) {
          rows.add(
              List.of(
                  named.getKey(), job.job(), job.clusterQueue(), job.state().word(), job.reason()));
        } else {
          more++;
        }
      }
    }
    if (more > 0) {
      rows.add(List.of("", "… and " + more + " more", "", "", ""));
    }
    return new Table(
        "Jobs that did not end",
        List.of("Variant", "Job", "Queue", "State", "Why"),
        rows,
        "All jobs ended.");
  }

  private static String resource(String path) {
    try (InputStream file = Objects.requireNonNull(Report.class.getResourceAsStream(path), path)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
