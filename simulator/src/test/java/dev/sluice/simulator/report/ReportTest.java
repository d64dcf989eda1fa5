package dev.sluice.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.simulator.report.Comparison.Shift;
import dev.sluice.simulator.result.RunResult;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ReportTest {
  private static final Pattern DATA =
      Pattern.compile("<script type=\"application/json\" id=\"data\">([^<]*)</script>");

  private static Report report(List<RunResult> runs) {
    return new Report("A day & a <night>", List.of("lead"), runs, List.of());
  }

  private static Tree data(Report report) {
    MatchResult found = DATA.matcher(report.html()).results().findFirst().orElseThrow();
    return Json.parse(found.group(1)).asTree();
  }

  @Test
  void namesFromTheRunsCannotEndTheScript() {
    Tree data = data(report(List.of(SampleRuns.run("", 60, Duration.ofMinutes(5)))));

    assertThat(data.text("title")).isEqualTo("A day & a <night>");
    assertThat(data.trees("runs").getFirst().trees("waits"))
        .extracting(queue -> queue.text("name"))
        .contains("</script><b>odd");
  }

  @Test
  void pageNeedsNothingFromTheNetwork() {
    String page = report(List.of(SampleRuns.run("", 5, Duration.ofMinutes(5)))).html();

    assertThat(page.substring(0, page.indexOf("<script>")))
        .contains("default-src 'none'")
        .doesNotContain("http://", "https://", "src=", "@import");
  }

  @Test
  void pageOfALargeRunStaysSmall() {
    RunResult large = SampleRuns.run("", 20_000, Duration.ofHours(2));

    Tree run = data(report(List.of(large))).trees("runs").getFirst();

    assertThat(run.trees("jobs")).hasSize(RunData.MAX_ROWS);
    assertThat(run.whole("totalJobs")).hasValue(20_000);
    assertThat(run.items("times")).hasSize(TimeGrid.SLICES);
    assertThat(report(List.of(large)).html().length()).isLessThan(2_000_000);
  }

  @Test
  void averagesKeepTheAreaUnderASeries() {
    RunResult run = SampleRuns.run("", 300, Duration.ofHours(1));
    var series = run.allocations().getFirst().amounts();

    double sum = 0;
    for (double mean : new TimeGrid(run.elapsed()).means(series)) {
      sum += mean * TimeGrid.seconds(run.elapsed()) / TimeGrid.SLICES;
    }

    assertThat(sum).isCloseTo(series.over(Duration.ZERO, run.elapsed()), within(1e-6));
  }

  private static Percentage within(double part) {
    return Percentage.withPercentage(part * 100);
  }

  @Test
  void comparisonNamesTheJobsThatStartAtAnotherTime() {
    RunResult base = SampleRuns.run("", 100, Duration.ofHours(2));
    RunResult faster = SampleRuns.run("more quota", 100, Duration.ofHours(1));

    Comparison comparison = Comparison.of(base, faster);

    assertThat(comparison.later()).isEmpty();
    assertThat(comparison.earlier()).hasSizeGreaterThan(90);
    assertThat(comparison.earlier().stream().flatMap(shift -> shift.later().stream()))
        .allMatch(Duration::isNegative)
        .isSorted();
    assertThat(Comparison.of(base, base).shifts()).isEmpty();
    assertThat(Comparison.of(base, base).unchanged()).isEqualTo(100);
  }

  @Test
  void jobThatNoLongerStartsComesFirst() {
    RunResult base = SampleRuns.run("", 100, Duration.ofMinutes(1));
    RunResult slower = SampleRuns.run("", 100, Duration.ofHours(9));

    List<Shift> later = Comparison.of(base, slower).later();

    assertThat(later.getFirst().after()).isEmpty();
    assertThat(later.getLast().after()).isPresent();
  }

  @Test
  void differencesAreSentences() {
    RunResult base = SampleRuns.run("", 100, Duration.ofHours(2));

    assertThat(Differences.of(base, base)).containsExactly("Every job starts at the same time.");
    assertThat(Differences.of(base, SampleRuns.run("fast", 100, Duration.ofHours(1))))
        .contains(
            "92 jobs start earlier, none later or not at all, 8 at the same time.",
            "The median wait is 35 min 49 s shorter: 39 min 54 s instead of 1 h 15 min.");
  }

  @ParameterizedTest
  @CsvSource({
    "PT0.25S, 0.3 s",
    "PT9S, 9 s",
    "PT90S, 1 min 30 s",
    "PT2H, 2 h",
    "PT49H, 2 d 1 h",
    "PT-5M, -5 min"
  })
  void durationsAreWrittenForPeople(Duration duration, String want) {
    assertThat(Words.duration(duration)).isEqualTo(want);
  }
}
