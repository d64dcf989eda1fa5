package dev.sluice.simulator.result;

import dev.sluice.model.GoDuration;
import dev.sluice.model.Plural;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/** The tables of a result for a person, as lines. */
public final class ResultText {
  private static final int MAX_JOBS = 40;
  private static final int MAX_UNFINISHED = 20;

  private ResultText() {}

  /** All tables of one run. Many jobs are not listed one by one. */
  public static List<String> of(RunResult run) {
    var lines = new ArrayList<String>();
    if (run.jobs().size() <= MAX_JOBS) {
      jobs(run, lines);
    }
    if (!run.jobs().isEmpty()) {
      lines.add("");
      queues(run, lines);
      unfinished(run, lines);
    }
    run.refusals().forEach(refusal -> lines.add("refused: " + refusal));
    lines.add("");
    summary(run, lines);
    return lines;
  }

  private static void jobs(RunResult run, List<String> lines) {
    lines.add(jobRow("JOB", "QUEUE", "STATE", "SUBMITTED", "STARTED", "FINISHED"));
    for (JobResult job : run.jobs()) {
      lines.add(
          jobRow(
              job.job(),
              named(job.queue()),
              job.state().word(),
              seconds(Optional.of(job.submitted())),
              seconds(job.started()),
              seconds(job.ended())));
    }
  }

  private static void queues(RunResult run, List<String> lines) {
    lines.add(
        queueRow(
            "QUEUE",
            "JOBS",
            "FAILED",
            "OPEN",
            "WAIT MEAN",
            "WAIT P50",
            "WAIT P95",
            "WAIT MAX",
            "PREEMPT.",
            "LOST CPU-H",
            "SHARE"));
    var queues = new TreeMap<String, List<JobResult>>();
    run.jobs().forEach(job -> queues.computeIfAbsent(job.queue(), _ -> new ArrayList<>()).add(job));
    double all = run.jobs().stream().mapToDouble(job -> cpuHours(job, run, false)).sum();
    queues.forEach((queue, jobs) -> lines.add(queue(queue, jobs, run, all)));
  }

  private static String queue(String queue, List<JobResult> jobs, RunResult run, double all) {
    Distribution waits =
        Distribution.of(jobs.stream().map(JobResult::waited).flatMap(Optional::stream).toList());
    double used = jobs.stream().mapToDouble(job -> cpuHours(job, run, false)).sum();
    return queueRow(
        named(queue),
        jobs.size(),
        jobs.stream().filter(job -> job.state() == JobResult.State.FAILED).count(),
        jobs.stream().filter(job -> !job.isEnded()).count(),
        decimal(waits.mean(), "s"),
        decimal(waits.p50(), "s"),
        decimal(waits.p95(), "s"),
        decimal(waits.max(), "s"),
        jobs.stream().mapToInt(JobResult::preemptions).sum(),
        decimal(jobs.stream().mapToDouble(job -> cpuHours(job, run, true)).sum(), ""),
        all == 0 ? "-" : decimal(100 * used / all, "%"));
  }

  /**
   * @param lost only what did not lead to the job's success
   */
  private static double cpuHours(JobResult job, RunResult run, boolean lost) {
    double sum = 0;
    for (int i = 0; i < job.attempts().size(); i++) {
      JobResult.Attempt attempt = job.attempts().get(i);
      boolean last = i + 1 == job.attempts().size();
      boolean fruitful = last && job.state() != JobResult.State.FAILED;
      if (!lost || !fruitful) {
        Duration length = attempt.until().orElse(run.elapsed()).minus(attempt.from());
        sum += Distribution.seconds(length) / 3600 * job.requests().get("cpu") / 1000;
      }
    }
    return sum;
  }

  private static void unfinished(RunResult run, List<String> lines) {
    List<JobResult> open = run.jobs().stream().filter(job -> !job.isEnded()).toList();
    if (!open.isEmpty()) {
      lines.add("");
      lines.add("jobs that did not end:");
      open.stream()
          .limit(MAX_UNFINISHED)
          .forEach(job ->
              lines.add("  %s (%s): %s".formatted(job.job(), job.state().word(), job.reason())));
      if (open.size() > MAX_UNFINISHED) {
        lines.add("  and %d others".formatted(open.size() - MAX_UNFINISHED));
      }
    }
  }

  private static void summary(RunResult run, List<String> lines) {
    ResultSheet sheet = ResultSheet.of(run);
    lines.add(
        "%s: %d succeeded, %d failed, %d did not end; makespan %s"
            .formatted(
                Plural.of(sheet.total(), "job"),
                sheet.succeeded(),
                sheet.failed(),
                sheet.unfinished(),
                decimal(sheet.makespan(), "s")));
    if (!sheet.utilisation().isEmpty()) {
      var parts = new ArrayList<String>();
      sheet
          .utilisation()
          .forEach((resource, part) -> parts.add(resource + " " + decimal(100 * part, "%")));
      lines.add("utilisation: " + String.join(", ", parts));
    }
    if (!sheet.evictions().isEmpty()) {
      lines.add("evictions: " + sheet.evictions());
    }
    lines.add(
        "%s, %s, %s of virtual time, seed %d"
            .formatted(
                Plural.of(run.decisions().size(), "decision"),
                Plural.of(sheet.writes(), "write"),
                GoDuration.format(run.elapsed()),
                run.name().seed()));
  }

  /** The variants beside each other, with means over their seeds. */
  public static List<String> comparison(List<List<RunResult>> variants) {
    var lines = new ArrayList<String>();
    lines.add(variantRow("VARIANT", "MAKESPAN", "WAIT MEAN", "WAIT P95", "FAILED", "PREEMPT."));
    for (List<RunResult> runs : variants) {
      List<ResultSheet> sheets = runs.stream().map(ResultSheet::of).toList();
      lines.add(
          variantRow(
              named(runs.getFirst().name().variant()),
              estimate(sheets.stream().map(ResultSheet::makespan).toList()),
              estimate(sheets.stream().map(sheet -> sheet.waiting().mean()).toList()),
              estimate(sheets.stream().map(sheet -> sheet.waiting().p95()).toList()),
              decimal(sheets.stream().mapToInt(ResultSheet::failed).average().orElse(0), ""),
              decimal(sheets.stream().mapToInt(ResultSheet::preemptions).average().orElse(0), "")));
    }
    return lines;
  }

  private static String estimate(List<Double> values) {
    Estimate estimate = Estimate.of(values);
    String mean = decimal(estimate.mean(), "s");
    return estimate.seeds() == 1 ? mean : mean + " ± " + decimal(estimate.halfWidth(), "");
  }

  private static String jobRow(Object... cells) {
    return String.format(Locale.ROOT, "%-32s %-16s %-10s %9s %9s %9s", cells).stripTrailing();
  }

  private static String queueRow(Object... cells) {
    return String.format(Locale.ROOT, "%-20s %6s %6s %6s %9s %9s %9s %9s %8s %10s %7s", cells)
        .stripTrailing();
  }

  private static String variantRow(Object... cells) {
    return String.format(Locale.ROOT, "%-20s %18s %18s %18s %10s %10s", cells).stripTrailing();
  }

  private static String named(String name) {
    return name.isEmpty() ? "-" : name;
  }

  private static String seconds(Optional<Duration> time) {
    return time.map(one -> one.toSeconds() + "s").orElse("-");
  }

  private static String decimal(double value, String unit) {
    return String.format(Locale.ROOT, "%.1f%s", value, unit);
  }
}
