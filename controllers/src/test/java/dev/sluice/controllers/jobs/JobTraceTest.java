package dev.sluice.controllers.jobs;

import static dev.sluice.testkit.Worlds.driver;
import static dev.sluice.testkit.Worlds.job;
import static dev.sluice.testkit.Worlds.pass;
import static dev.sluice.testkit.Worlds.pods;
import static dev.sluice.testkit.Worlds.reasons;
import static dev.sluice.testkit.Worlds.setPhase;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.Kinds;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The statuses that a watcher sees, compared with those a real cluster showed. */
@Timeout(30)
class JobTraceTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final FakeCluster cluster = new FakeCluster(1);
  private final List<Tree> statuses = new ArrayList<>();
  private VirtualDriver driver;

  @BeforeEach
  void start() {
    driver = driver(cluster, 1, List.of(new JobController(cluster)));
    cluster.watch(Kinds.JOB, event -> statuses.add(event.object().status()));
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  private void submit(UnaryOperator<Tree> spec) {
    cluster.create(Kinds.JOB, job("j", spec));
    driver.settle();
  }

  @Test
  void showsTheStatusesOfTheReferenceForASuccess() {
    submit(spec -> spec.with("parallelism", 2).with("completions", 2));
    List<String> uids = pods(cluster).stream().map(Pod::uid).toList();
    pass(driver, cluster, SECOND.multipliedBy(3));
    pods(cluster).forEach(pod -> setPhase(cluster, pod, Pod.Phase.SUCCEEDED));
    pass(driver, cluster, SECOND.multipliedBy(2));

    assertThat(statuses).hasSize(4);
    assertThat(statuses.get(0)).isEqualTo(Tree.EMPTY);
    assertThat(statuses.get(1))
        .hasToString(
            """
            {"active":2,"ready":0,"startTime":"2030-01-01T00:00:00Z","terminating":0,\
            "uncountedTerminatedPods":{}}\
            """);
    var announced = new JobStatus(statuses.get(2));
    assertThat(announced.holds(JobStatus.SUCCESS_CRITERIA_MET)).isTrue();
    assertThat(announced.holds(JobStatus.COMPLETE)).isFalse();
    assertThat(announced.uncounted().succeeded()).containsExactlyElementsOf(uids);
    assertThat(announced.tree().has("active")).isFalse();
    assertThat(statuses.get(3))
        .hasToString(
            """
            {"completionTime":"2030-01-01T00:00:03Z","conditions":[\
            {"lastProbeTime":"2030-01-01T00:00:03Z","lastTransitionTime":"2030-01-01T00:00:03Z",\
            "message":"Reached expected number of succeeded pods","reason":"CompletionsReached",\
            "status":"True","type":"SuccessCriteriaMet"},\
            {"lastProbeTime":"2030-01-01T00:00:03Z","lastTransitionTime":"2030-01-01T00:00:03Z",\
            "message":"Reached expected number of succeeded pods","reason":"CompletionsReached",\
            "status":"True","type":"Complete"}],\
            "ready":0,"startTime":"2030-01-01T00:00:00Z","succeeded":2,"terminating":0,\
            "uncountedTerminatedPods":{}}\
            """);
    assertThat(reasons(cluster, "j"))
        .containsExactly("Completed", "SuccessfulCreate", "SuccessfulCreate");
    assertThat(pods(cluster)).allMatch(pod -> pod.object().finalizers().isEmpty());
  }

  @Test
  void showsTheStatusesOfTheReferenceForAFailure() {
    submit(spec -> spec.with("parallelism", 2).with("completions", 2).with("backoffLimit", 0));
    pods(cluster).forEach(pod -> cluster.update(Kinds.POD, pod.withNodeName("n").object()));
    pass(driver, cluster, SECOND.multipliedBy(3));
    statuses.clear();
    setPhase(cluster, pods(cluster).getFirst(), Pod.Phase.FAILED);
    pass(driver, cluster, SECOND.multipliedBy(2));

    assertThat(statuses).hasSize(2);
    var announced = new JobStatus(statuses.get(0));
    assertThat(announced.condition(JobStatus.FAILURE_TARGET).orElseThrow().text("reason"))
        .isEqualTo("BackoffLimitExceeded");
    assertThat(announced.uncounted().failed()).hasSize(2);
    assertThat(announced.terminating()).isEqualTo(1);
    assertThat(announced.active()).isZero();
    var counted = new JobStatus(statuses.get(1));
    assertThat(counted.failed()).isEqualTo(2);
    assertThat(counted.uncounted().isEmpty()).isTrue();
    assertThat(counted.holds(JobStatus.FAILED)).isFalse();

    Pod terminating = pods(cluster).stream().filter(Pod::isTerminating).findFirst().orElseThrow();
    cluster.delete(Kinds.POD, terminating.object(), Deletion.NOW);
    pass(driver, cluster, SECOND.multipliedBy(2));

    assertThat(statuses).hasSize(4);
    assertThat(new JobStatus(statuses.get(2)).terminating()).isZero();
    assertThat(new JobStatus(statuses.get(2)).holds(JobStatus.FAILED)).isFalse();
    assertThat(new JobStatus(statuses.get(3)).holds(JobStatus.FAILED)).isTrue();
    assertThat(new JobStatus(statuses.get(3)).completed()).isEmpty();
    assertThat(reasons(cluster, "j")).contains("BackoffLimitExceeded");
  }
}
