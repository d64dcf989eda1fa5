package dev.sluice.simulator.result;

import dev.sluice.model.Amounts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What became of one job. All times are durations since the start of the run.
 *
 * @param job its namespace and name
 * @param queue its LocalQueue; empty if it is not queued
 * @param clusterQueue the ClusterQueue of that queue; empty if there is none
 * @param owner its label {@code sluice.dev/owner}; empty if it has none
 * @param pods how many of its pods run at once
 * @param requests of these pods together
 * @param admitted when it was first admitted; empty for a job that was not, or is not queued
 * @param bound when all these pods first had a node
 * @param started when its first pod first ran
 * @param attempts the times during which it had pods on nodes, in order
 * @param preemptions how often it was preempted
 * @param reason why it did not end, as {@code explain} says it; empty if it ended
 */
public record JobResult(
    String job,
    String queue,
    String clusterQueue,
    String owner,
    int pods,
    Amounts requests,
    State state,
    Duration submitted,
    Optional<Duration> admitted,
    Optional<Duration> bound,
    Optional<Duration> started,
    Optional<Duration> ended,
    List<Attempt> attempts,
    int preemptions,
    String reason) {

  public JobResult {
    attempts = List.copyOf(attempts);
  }

  /** The state of a job at the end of the run. */
  public enum State {
    SUCCEEDED("Complete"),
    FAILED("Failed"),
    RUNNING("Running"),
    SUSPENDED("Suspended");

    private final String word;

    State(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  /**
   * One time during which the job had pods on nodes.
   *
   * @param pool the node pool of its first pod
   * @param flavor the flavor of its first pod set; empty for a job that is not queued
   * @param until empty if it still had pods at the end of the run
   */
  public record Attempt(String pool, String flavor, Duration from, Optional<Duration> until) {}

  /** Whether it succeeded or failed. */
  public boolean isEnded() {
    return ended.isPresent();
  }

  /** From its submission until all its pods had a node. */
  public Optional<Duration> waited() {
    return bound.map(time -> time.minus(submitted));
  }

  /** From its submission until it was admitted. */
  public Optional<Duration> dispatched() {
    return admitted.map(time -> time.minus(submitted));
  }

  /** From its submission until its end. */
  public Optional<Duration> completed() {
    return ended.map(time -> time.minus(submitted));
  }
}
