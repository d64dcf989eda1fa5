package dev.sluice.simulator.report;

import dev.sluice.simulator.result.RunResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a variant changes against the first one, in sentences. */
public final class Differences {
  private final Figures base;
  private final Figures changed;
  private final List<String> sentences = new ArrayList<>();

  private Differences(RunResult base, RunResult changed) {
    this.base = Figures.of(base);
    this.changed = Figures.of(changed);
    starts(Comparison.of(base, changed));
  }

  public static List<String> of(RunResult base, RunResult changed) {
    var differences = new Differences(base, changed);
    differences.waits("The median wait", 0.5);
    differences.waits("The wait that 95 % of the jobs do not exceed", 0.95);
    differences.ends();
    differences.makespan();
    differences.utilisation();
    differences.counts();
    return differences.sentences;
  }

  private void starts(Comparison comparison) {
    int earlier = comparison.earlier().size();
    int later = comparison.later().size();
    sentences.add(
        earlier + later == 0
            ? "Every job starts at the same time."
            : "%s earlier, %s later or not at all, %s at the same time."
                .formatted(
                    earlier == 0 ? "No job starts" : starting(earlier),
                    orNone(later),
                    orNone(comparison.unchanged())));
  }

  private static String starting(int jobs) {
    return Words.count(jobs, "job") + (jobs == 1 ? " starts" : " start");
  }

  private static String orNone(int jobs) {
    return jobs == 0 ? "none" : String.valueOf(jobs);
  }

  private void waits(String what, double part) {
    Optional<Duration> before = base.wait(part);
    Optional<Duration> after = changed.wait(part);
    if (before.isEmpty() || after.isEmpty() || before.equals(after)) {
      return;
    }
    Duration by = after.get().minus(before.get());
    sentences.add(
        "%s is %s %s: %s instead of %s."
            .formatted(
                what,
                Words.duration(by.abs()),
                by.isNegative() ? "shorter" : "longer",
                Words.duration(after.get()),
                Words.duration(before.get())));
  }

  private void ends() {
    number("failed", base.failed(), changed.failed());
    number("did not end", base.unfinished(), changed.unfinished());
  }

  private void number(String what, int before, int after) {
    if (before != after) {
      sentences.add("%s %s instead of %d.".formatted(Words.count(after, "job"), what, before));
    }
  }

  private void makespan() {
    Duration by = changed.makespan().minus(base.makespan());
    if (!by.isZero()) {
      sentences.add(
          "All is done %s %s, after %s."
              .formatted(
                  Words.duration(by.abs()),
                  by.isNegative() ? "earlier" : "later",
                  Words.duration(changed.makespan())));
    }
  }

  private void utilisation() {
    base.utilisation()
        .forEach((resource, before) -> {
          double after = changed.utilisation().getOrDefault(resource, 0.0);
          if (Math.abs(after - before) >= 0.01) {
            sentences.add(
                "%s of the %s of the nodes is allocated instead of %s."
                    .formatted(Words.percent(after), resource, Words.percent(before)));
          }
        });
  }

  private void counts() {
    if (base.preemptions() != changed.preemptions()) {
      sentences.add(
          "%s instead of %d."
              .formatted(Words.count(changed.preemptions(), "preemption"), base.preemptions()));
    }
    if (base.evictions() != changed.evictions()) {
      sentences.add(
          "%s in all instead of %d."
              .formatted(Words.count(changed.evictions(), "eviction"), base.evictions()));
    }
  }
}
