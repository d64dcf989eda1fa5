package dev.sluice.simulator.run;

import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.simulator.result.JobResult;
import dev.sluice.simulator.result.JobResult.Attempt;
import dev.sluice.simulator.result.JobResult.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is known of one job so far. */
final class JobRecord {
  /** The label of a job: its owner. */
  static final String OWNER = "sluice.dev/owner";

  private final String queue;
  private final String clusterQueue;
  private final String owner;
  private final Duration submitted;
  private Job job;
  private int pods;
  private int bound;
  private int onNodes;
  private int preemptions;
  private String flavor = "";
  private Optional<Duration> admitted = Optional.empty();
  private Optional<Duration> allBound = Optional.empty();
  private Optional<Duration> started = Optional.empty();
  private Optional<Duration> ended = Optional.empty();
  private final List<Attempt> attempts = new ArrayList<>();

  JobRecord(Job job, String clusterQueue, Duration submitted) {
    this.job = job;
    this.queue = job.object().label(KueueNames.QUEUE_NAME);
    this.clusterQueue = clusterQueue;
    this.owner = job.object().label(OWNER);
    this.submitted = submitted;
    this.pods = atOnce(job);
  }

  private static int atOnce(Job job) {
    return (int) Math.min(job.parallelism(), job.completions().orElse(Long.MAX_VALUE));
  }

  void changed(Job changed, Duration now) {
    job = changed;
    if (allBound.isEmpty()) {
      pods = atOnce(job);
      lookWhetherAllAreBound(now);
    }
    if (ended.isEmpty() && job.isFinished()) {
      ended = Optional.of(now);
    }
  }

  void podBound(String pool, Duration now) {
    bound++;
    if (onNodes++ == 0) {
      Optional<Attempt> last =
          attempts.isEmpty() ? Optional.empty() : Optional.of(attempts.getLast());
      Optional<Attempt> continued =
          last.filter(
              attempt -> attempt.until().equals(Optional.of(now)) && attempt.pool().equals(pool));
      continued.ifPresent(_ -> attempts.removeLast());
      Duration from = continued.map(Attempt::from).orElse(now);
      attempts.add(new Attempt(pool, flavor, from, Optional.empty()));
    }
    lookWhetherAllAreBound(now);
  }

  private void lookWhetherAllAreBound(Duration now) {
    if (allBound.isEmpty() && bound >= pods && pods > 0) {
      allBound = Optional.of(now);
    }
  }

  /**
   * @param counts whether the pod succeeded, so that it is not bound again
   */
  void podReleased(boolean counts, Duration now) {
    bound -= counts ? 0 : 1;
    if (--onNodes == 0) {
      Attempt last = attempts.removeLast();
      attempts.add(new Attempt(last.pool(), last.flavor(), last.from(), Optional.of(now)));
    }
  }

  void podStarted(Duration now) {
    started = started.or(() -> Optional.of(now));
  }

  void admitted(String flavor, Duration now) {
    this.flavor = flavor;
    admitted = admitted.or(() -> Optional.of(now));
  }

  void preempted() {
    preemptions++;
  }

  boolean isEnded() {
    return ended.isPresent();
  }

  Optional<Duration> allBound() {
    return allBound;
  }

  ApiObject object() {
    return job.object();
  }

  private State state() {
    JobStatus status = job.status();
    if (status.holds(JobStatus.COMPLETE)) {
      return State.SUCCEEDED;
    }
    if (status.holds(JobStatus.FAILED)) {
      return State.FAILED;
    }
    return job.isSuspended() ? State.SUSPENDED : State.RUNNING;
  }

  JobResult result(String reason) {
    Amounts requests = job.podSpec().requests().times(pods);
    return new JobResult(
        job.object().path(),
        queue,
        clusterQueue,
        owner,
        pods,
        requests,
        state(),
        submitted,
        admitted,
        allBound,
        started,
        ended,
        attempts,
        preemptions,
        reason);
  }
}
