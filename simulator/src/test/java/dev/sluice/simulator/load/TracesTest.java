package dev.sluice.simulator.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.tree.MalformedText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class TracesTest {
  private static final String SWF = "%d %d -1 %s %d -1 -1 %d -1 -1 1 7 -1 -1 -1 -1 -1 -1\n";

  @Test
  void csvHasOneJobOnEachLine() {
    List<TraceJob> jobs =
        Traces.read(
            "t.csv",
            """
            at,duration,pods,queue,owner,cpu,nvidia.com/gpu
            0,90,2,team-a,ann,500m,
            # a pause
            1m30s,5m,,,,4,8
            """,
            1);

    assertThat(jobs).hasSize(2);
    assertThat(jobs.getFirst().duration()).contains(Duration.ofSeconds(90));
    assertThat(jobs.getFirst().pods()).isEqualTo(OptionalInt.of(2));
    assertThat(jobs.getFirst().queue()).isEqualTo("team-a");
    assertThat(jobs.getFirst().owner()).isEqualTo("ann");
    assertThat(jobs.getFirst().requests()).containsExactly(Map.entry("cpu", "500m"));
    assertThat(jobs.getLast().at()).isEqualTo(Duration.ofSeconds(90));
    assertThat(jobs.getLast().pods()).isEmpty();
    assertThat(jobs.getLast().requests()).containsKeys("cpu", "nvidia.com/gpu");
  }

  @Test
  void standardWorkloadFormatCountsFromTheFirstSubmissionAndDividesProcessors() {
    String text =
        "; Version: 2.2\n"
            + SWF.formatted(1, 100, "30", 5, -1)
            + SWF.formatted(2, 160, "45.5", -1, 2)
            + SWF.formatted(3, 170, "0", 4, 4)
            + SWF.formatted(4, 180, "9", -1, -1);

    List<TraceJob> jobs = Traces.read("t.swf", text, 4);

    assertThat(jobs).extracting(TraceJob::at).containsExactly(Duration.ZERO, Duration.ofMinutes(1));
    assertThat(jobs)
        .extracting(TraceJob::duration)
        .containsExactly(
            Optional.of(Duration.ofSeconds(30)), Optional.of(Duration.ofMillis(45_500)));
    assertThat(jobs)
        .extracting(TraceJob::pods)
        .containsExactly(OptionalInt.of(2), OptionalInt.of(1));
    assertThat(jobs).extracting(TraceJob::owner).containsOnly("user-7");
  }

  record Case(String name, String file, String text, String message) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case(
              "an unknown column",
              "t.csv",
              "at,durations\n",
              "t.csv: line 1: \"durations\" is no column; did you mean duration?"),
          new Case("no time", "t.csv", "pods\n1\n", "line 1: the columns must include at"),
          new Case("a column twice", "t.csv", "at,pods,pods\n", "each only once"),
          new Case(
              "a value too few",
              "t.csv",
              "at,pods\n1\n",
              "line 2: it has 1 values, but there are 2"),
          new Case(
              "an invalid time",
              "t.csv",
              "at\n0\nnoon\n",
              "line 3: at is \"noon\"; it must be a time such as 90, 90s or 1m30s"),
          new Case(
              "times in disorder",
              "t.csv",
              "at\n60\n30\n",
              "line 3: at is \"30\"; it must be no earlier than that of the line before"),
          new Case(
              "no pods", "t.csv", "at,pods\n0,0\n", "pods is \"0\"; it must be a whole number"),
          new Case("a negative amount", "t.csv", "at,cpu\n0,-1\n", "cpu is \"-1\"; it must be an"),
          new Case(
              "a line of another format",
              "t.swf",
              "1 2 3\n",
              "t.swf: line 1: it has 3 fields; a line of the Standard Workload Format has 18"),
          new Case(
              "a field that is no number",
              "t.swf",
              SWF.formatted(1, 0, "long", 1, 1),
              "line 1: field 4 is \"long\"; it must be a number"));

  @ParameterizedTest
  @FieldSource("CASES")
  void brokenLineIsRefused(Case c) {
    assertThatThrownBy(() -> Traces.read(c.file(), c.text(), 1))
        .isInstanceOf(MalformedText.class)
        .hasMessageContaining(c.message());
  }
}
