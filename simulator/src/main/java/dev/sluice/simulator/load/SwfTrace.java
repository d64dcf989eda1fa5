package dev.sluice.simulator.load;

import dev.sluice.model.tree.MalformedText;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A trace in the Standard Workload Format of the Parallel Workloads Archive: lines of 18 numbers,
 * with comments after a semicolon. Of each job it reads when it was submitted (field 2), how long
 * it ran (4), its processors (5, or 8 if they are unknown) and its user (12). A job that never ran,
 * or whose processors are unknown, is left out. Times count from the first submission.
 */
final class SwfTrace {
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Pattern COMMENT = Pattern.compile(";.*");
  private static final int FIELDS = 18;
  private static final int SUBMITTED = 1;
  private static final int RUN_TIME = 3;
  private static final int PROCESSORS = 4;
  private static final int REQUESTED = 7;
  private static final int USER = 11;
  private static final int MAX_PODS = 1_000_000;

  private SwfTrace() {}

  /**
   * The jobs of a trace.
   *
   * @param processorsPerPod by how much the processors are divided; a rest is one more pod
   * @throws MalformedText with the line
   */
  static List<TraceJob> read(String text, int processorsPerPod) {
    var jobs = new ArrayList<TraceJob>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String fields = COMMENT.matcher(line).replaceFirst("").strip();
      if (!fields.isEmpty()) {
        job(numbers(fields, number), number, processorsPerPod).ifPresent(jobs::add);
      }
    }
    jobs.sort(Comparator.comparing(TraceJob::at));
    Duration first = jobs.isEmpty() ? Duration.ZERO : jobs.getFirst().at();
    return jobs.stream().map(job -> job.earlier(first)).toList();
  }

  private static double[] numbers(String fields, int line) {
    List<String> parts = BLANKS.splitAsStream(fields).toList();
    if (parts.size() != FIELDS) {
      throw new MalformedText(
          "line %d: it has %d fields; a line of the Standard Workload Format has %d"
              .formatted(line, parts.size(), FIELDS));
    }
    var numbers = new double[FIELDS];
    for (int i = 0; i < FIELDS; i++) {
      if (!parts.get(i).matches("-?[0-9]{1,15}(\\.[0-9]{1,9})?")) {
        throw new MalformedText(
            "line %d: field %d is \"%s\"; it must be a number"
                .formatted(line, i + 1, parts.get(i)));
      }
      numbers[i] = new BigDecimal(parts.get(i)).doubleValue();
    }
    return numbers;
  }

  private static Optional<TraceJob> job(double[] fields, int line, int processorsPerPod) {
    double processors = fields[PROCESSORS] > 0 ? fields[PROCESSORS] : fields[REQUESTED];
    if (fields[RUN_TIME] <= 0 || processors <= 0) {
      return Optional.empty();
    }
    double pods = Math.ceil(processors / processorsPerPod);
    if (fields[SUBMITTED] < 0 || pods > MAX_PODS) {
      throw new MalformedText(
          "line %d: a job is submitted at second 0 or later and has at most %d pods"
              .formatted(line, MAX_PODS));
    }
    return Optional.of(
        new TraceJob(
            Times.scaled(Duration.ofSeconds(1), fields[SUBMITTED]),
            Optional.of(Times.scaled(Duration.ofSeconds(1), fields[RUN_TIME])),
            OptionalInt.of((int) pods),
            "",
            fields[USER] < 0 ? "" : "user-" + (long) fields[USER],
            "",
            new TreeMap<>()));
  }
}
