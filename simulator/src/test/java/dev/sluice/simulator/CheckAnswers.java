package dev.sluice.simulator;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Answers admission checks at random: mostly yes, at times later, rarely no. */
final class CheckAnswers implements Controller {
  private static final int MAX_RETRIES = 2;

  private final Cluster cluster;
  private final RandomGenerator random;

  CheckAnswers(Cluster cluster, RandomGenerator random) {
    this.cluster = cluster;
    this.random = random;
  }

  @Override
  public String name() {
    return "check-answers";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(Trigger.on(Kinds.ADMISSION_CHECK), Trigger.on(Kinds.WORKLOAD));
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    cluster
        .get(key)
        .ifPresent(object -> {
          if (key.kind().equals(Kinds.WORKLOAD)) {
            answer(new Workload(object));
          } else {
            activate(object);
          }
        });
    return Outcome.DONE;
  }

  private void activate(ApiObject check) {
    if (!Condition.holds(check.status(), ClusterQueue.ACTIVE)) {
      Condition active = new Condition(ClusterQueue.ACTIVE, true, "Active", "");
      cluster.patchStatus(
          Kinds.ADMISSION_CHECK, check, active.in(check.status(), cluster.time().now()));
    }
  }

  private void answer(Workload workload) {
    WorkloadStatus status = workload.status();
    if (!workload.reserved() || workload.finished() || status.holds(WorkloadStatus.EVICTED)) {
      return;
    }
    Instant now = cluster.time().now();
    var answers = new ArrayList<CheckState>();
    for (CheckState check : status.admissionChecks()) {
      answers.add(
          check.state().equals(CheckState.PENDING) ? check.in(state(check), "", now) : check);
    }
    if (!answers.equals(status.admissionChecks())) {
      cluster.patchStatus(
          Kinds.WORKLOAD, workload.object(), status.withAdmissionChecks(answers).tree());
    }
  }

  private String state(CheckState check) {
    int drawn = random.nextInt(10);
    if (drawn == 0) {
      return CheckState.REJECTED;
    }
    return drawn < 4 && check.retryCount() < MAX_RETRIES ? CheckState.RETRY : CheckState.READY;
  }
}
