package dev.sluice.simulator.scenario;

import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;

/**
 * A claim about the result of a run.
 *
 * @param text the claim as it stands in the file, in one line
 * @param variants the variants it is about; empty for all
 * @param fields what narrows the measure: a queue, an owner, a resource and so on
 */
public record Expectation(
    String text,
    List<String> variants,
    Measure measure,
    Tree fields,
    Optional<Bound> below,
    Optional<Bound> atMost,
    Optional<Bound> atLeast) {

  public Expectation {
    variants = List.copyOf(variants);
  }

  /** Whether it is about a variant. */
  public boolean isAbout(String variant) {
    return variants.isEmpty() || variants.contains(variant);
  }

  /** What is measured. */
  public enum Measure {
    JOBS_FAILED("jobsFailed"),
    JOBS_UNFINISHED("jobsUnfinished"),
    PREEMPTIONS("preemptions"),
    WAIT("wait"),
    DISPATCH("dispatch"),
    COMPLETION("completion"),
    SCHEDULING_LATENCY("schedulingLatency"),
    MAKESPAN("makespan"),
    SHARE("share"),
    UTILISATION("utilisation"),
    EVICTIONS("evictions");

    private final String word;

    Measure(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  /**
   * A limit of a measure.
   *
   * @param value a number, seconds, or a part of one
   * @param relative whether it is a part of all jobs
   */
  public record Bound(double value, boolean relative, String text) {}
}
