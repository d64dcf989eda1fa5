package dev.sluice.controllers.jobs;

import static dev.sluice.testkit.Worlds.driver;
import static dev.sluice.testkit.Worlds.job;
import static dev.sluice.testkit.Worlds.pass;
import static dev.sluice.testkit.Worlds.pods;
import static dev.sluice.testkit.Worlds.reasons;
import static dev.sluice.testkit.Worlds.setPhase;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
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

@Timeout(30)
class JobControllerTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final FakeCluster cluster = new FakeCluster(1);
  private VirtualDriver driver;

  @BeforeEach
  void start() {
    driver = driver(cluster, 1, List.of(new JobController(cluster)));
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  private Job submit(UnaryOperator<Tree> spec) {
    cluster.create(Kinds.JOB, job("j", spec));
    driver.settle();
    return job(cluster, "j");
  }

  private void change(UnaryOperator<Tree> spec) {
    var object = job(cluster, "j").object();
    cluster.update(Kinds.JOB, object.withSpec(spec.apply(object.spec())));
  }

  private List<Pod> active() {
    return pods(cluster).stream().filter(Pod::isActive).toList();
  }

  @Test
  void podsCarryWhatTheTemplateSaysAndBelongToTheJob() {
    Job job = submit(spec -> spec);

    Pod pod = pods(cluster).getFirst();
    assertThat(pod.name()).matches("j-[bcdfghjklmnpqrstvwxz2456789]{5}");
    assertThat(pod.object().label("job-name")).isEqualTo("j");
    assertThat(pod.object().finalizers()).containsExactly(Job.TRACKING);
    assertThat(pod.object().controller().orElseThrow().uid()).isEqualTo(job.object().uid());
    assertThat(pod.object().spec()).isSameAs(job.template().tree("spec"));
  }

  @Test
  void replacesFailedPodsAfterDelaysThatDouble() {
    submit(spec -> spec.with("backoffLimit", 3));
    var created = new ArrayList<Duration>();
    cluster.watch(
        Kinds.POD,
        event -> {
          if (event.before().isEmpty()) {
            created.add(Duration.between(FakeCluster.START, cluster.time().now()));
          }
        });
    for (int i = 0; i < 4; i++) {
      active().forEach(pod -> setPhase(cluster, pod, Pod.Phase.FAILED));
      pass(driver, cluster, SECOND.multipliedBy(10L << i).plus(SECOND));
    }

    // The fake node tells no time of ending, so the creation of the pod stands in for it.
    assertThat(created.stream().map(Duration::toSeconds)).containsExactly(0L, 10L, 30L, 70L);
    assertThat(job(cluster, "j").status().holds(JobStatus.FAILED)).isTrue();
    assertThat(job(cluster, "j").status().failed()).isEqualTo(4);
  }

  @Test
  void suspendingRemovesPodsUncountedAndResumingStartsAnew() {
    submit(spec -> spec.with("parallelism", 3).with("completions", 3));
    pass(driver, cluster, SECOND.multipliedBy(5));
    change(spec -> spec.with("suspend", true));
    driver.settle();

    JobStatus suspended = job(cluster, "j").status();
    assertThat(suspended.holds(JobStatus.SUSPENDED)).isTrue();
    assertThat(suspended.started()).isEmpty();
    assertThat(suspended.failed()).isZero();
    assertThat(pods(cluster)).isEmpty();

    pass(driver, cluster, SECOND.multipliedBy(5));
    change(spec -> spec.with("suspend", false));
    driver.settle();

    JobStatus resumed = job(cluster, "j").status();
    assertThat(resumed.condition(JobStatus.SUSPENDED).orElseThrow().text("reason"))
        .isEqualTo("JobResumed");
    assertThat(resumed.started()).contains(FakeCluster.START.plusSeconds(10));
    assertThat(active()).hasSize(3);
    assertThat(reasons(cluster, "j")).contains("Suspended", "Resumed");
  }

  @Test
  void aJobCreatedSuspendedSaysSoAndHasNoStartTime() {
    Job job = submit(spec -> spec.with("suspend", true));

    assertThat(job.status().holds(JobStatus.SUSPENDED)).isTrue();
    assertThat(job.status().started()).isEmpty();
    assertThat(pods(cluster)).isEmpty();
  }

  @Test
  void aPodThatFailsWhileTheJobIsSuspendedStillFailsIt() {
    Job job = submit(spec -> spec.with("suspend", true).with("backoffLimit", 0));
    cluster.create(Kinds.POD, job.pod("j-late", "j-"));
    setPhase(cluster, pods(cluster).getFirst(), Pod.Phase.FAILED);
    pass(driver, cluster, SECOND.multipliedBy(2));

    JobStatus status = job(cluster, "j").status();
    assertThat(status.holds(JobStatus.FAILED)).isTrue();
    assertThat(status.started()).as("the API wants finished Jobs to have started").isPresent();
  }

  @Test
  void aJobThatWantsNothingCompletesAtOnceEvenSuspended() {
    Job job = submit(spec -> spec.with("completions", 0).with("suspend", true));

    assertThat(job.status().holds(JobStatus.COMPLETE)).isTrue();
    assertThat(job.status().started()).isEmpty();
    assertThat(job.status().holds(JobStatus.SUSPENDED)).isFalse();
  }

  @Test
  void withoutCompletionsTheFirstSuccessStopsNewPodsAndTheLastEndCompletes() {
    submit(spec -> spec.without("completions").with("parallelism", 3));
    setPhase(cluster, active().getFirst(), Pod.Phase.SUCCEEDED);
    pass(driver, cluster, SECOND.multipliedBy(2));

    assertThat(active()).hasSize(2);
    assertThat(job(cluster, "j").isFinished()).isFalse();

    active().forEach(pod -> setPhase(cluster, pod, Pod.Phase.SUCCEEDED));
    pass(driver, cluster, SECOND.multipliedBy(2));

    assertThat(job(cluster, "j").status().holds(JobStatus.COMPLETE)).isTrue();
    assertThat(job(cluster, "j").status().succeeded()).isEqualTo(3);
  }

  @Test
  void aDeadlineEndsTheJobAndCountsItsPodsAsFailed() {
    submit(spec -> spec.with("parallelism", 2).with("activeDeadlineSeconds", 7));
    pass(driver, cluster, SECOND.multipliedBy(6));
    assertThat(job(cluster, "j").status().active()).isEqualTo(1);
    pass(driver, cluster, SECOND.multipliedBy(3));

    JobStatus status = job(cluster, "j").status();
    assertThat(status.condition(JobStatus.FAILED).orElseThrow().text("reason"))
        .isEqualTo("DeadlineExceeded");
    assertThat(status.failed()).isEqualTo(1);
    assertThat(pods(cluster)).isEmpty();
  }

  @Test
  void restartsCountAgainstTheLimitWhereContainersRestart() {
    submit(spec ->
        spec.with("backoffLimit", 2)
            .with(List.of("template", "spec", "restartPolicy"), "OnFailure"));
    Pod pod = active().getFirst();
    var status = List.of(Tree.of("name", "main", "restartCount", 2));
    cluster.patchStatus(
        Kinds.POD, pod.object(), pod.object().status().with("containerStatuses", status));
    pass(driver, cluster, SECOND.multipliedBy(3));

    assertThat(job(cluster, "j").status().holds(JobStatus.FAILED)).isTrue();
    assertThat(job(cluster, "j").status().failed()).isEqualTo(1);
  }

  @Test
  void aPodThatIsDeletedCountsAsFailedAndIsReplacedAfterTheDelay() {
    submit(spec -> spec);
    pass(driver, cluster, SECOND.multipliedBy(2));
    cluster.delete(Kinds.POD, active().getFirst().object(), Deletion.BACKGROUND);
    pass(driver, cluster, SECOND.multipliedBy(2));

    assertThat(job(cluster, "j").status().failed()).isEqualTo(1);
    assertThat(pods(cluster)).isEmpty();

    pass(driver, cluster, SECOND.multipliedBy(9));

    assertThat(active()).hasSize(1);
  }

  @Test
  void underPolicyFailedADeletedPodCountsOnlyOnceItHasEnded() {
    submit(spec -> spec.with("podReplacementPolicy", "Failed"));
    cluster.update(Kinds.POD, active().getFirst().withNodeName("n").object());
    cluster.delete(Kinds.POD, active().getFirst().object(), Deletion.BACKGROUND);
    pass(driver, cluster, SECOND.multipliedBy(20));

    assertThat(job(cluster, "j").status().terminating()).isEqualTo(1);
    assertThat(job(cluster, "j").status().failed()).isZero();
    assertThat(active()).isEmpty();

    setPhase(cluster, pods(cluster).getFirst(), Pod.Phase.FAILED);
    pass(driver, cluster, SECOND.multipliedBy(12));

    assertThat(job(cluster, "j").status().failed()).isEqualTo(1);
    assertThat(active()).hasSize(1);
  }

  @Test
  void scalingDownRemovesPodsThatHaveNoNodeFirst() {
    submit(spec -> spec.with("parallelism", 3).with("completions", 3));
    Pod bound = active().get(1);
    cluster.update(Kinds.POD, bound.withNodeName("n").object());
    change(spec -> spec.with("parallelism", 1));
    driver.settle();

    assertThat(active()).extracting(Pod::name).containsExactly(bound.name());
    assertThat(job(cluster, "j").status().failed()).isZero();
  }

  @Test
  void refusedPodsAreRetriedEverMoreSlowlyAndWithoutAFlood() {
    cluster.guard((kind, object) -> {
      if (kind.equals(Kinds.POD) && pods(cluster).size() >= 2) {
        throw ApiFailure.forbidden(object.key(kind), "exceeded quota");
      }
    });
    submit(spec -> spec.with("parallelism", 5).with("completions", 5));
    pass(driver, cluster, Duration.ofMinutes(10));

    assertThat(job(cluster, "j").status().active()).isEqualTo(2);
    assertThat(job(cluster, "j").status().failed()).isZero();
    assertThat(reasons(cluster, "j")).contains("FailedCreate");
    assertThat(cluster.writes()).isLessThan(40);
  }

  @Test
  void jobsOfAnotherManagerAreLeftAlone() {
    Job job = submit(spec -> spec.with("managedBy", "acme.io/other"));

    assertThat(job.status().tree()).isEqualTo(Tree.EMPTY);
    assertThat(pods(cluster)).isEmpty();
  }

  @Test
  void podsOfAJobThatIsGoneLoseTheFinalizer() {
    submit(spec -> spec.with("parallelism", 2).with("completions", 2));
    cluster.delete(Kinds.JOB, job(cluster, "j").object(), Deletion.BACKGROUND);
    driver.settle();

    assertThat(pods(cluster)).hasSize(2).allMatch(pod -> pod.object().finalizers().isEmpty());
  }

  @Test
  void aJobOfManyPodsCountsThemAllInBoundedRounds() {
    submit(spec -> spec.with("parallelism", 1200).with("completions", 1200));
    pass(driver, cluster, SECOND.multipliedBy(5));
    assertThat(active()).hasSize(1200);
    active().forEach(pod -> setPhase(cluster, pod, Pod.Phase.SUCCEEDED));
    pass(driver, cluster, SECOND.multipliedBy(5));

    assertThat(job(cluster, "j").status().succeeded()).isEqualTo(1200);
    assertThat(job(cluster, "j").status().holds(JobStatus.COMPLETE)).isTrue();
    assertThat(cluster.list(Kinds.EVENT)).hasSize(10);
  }
}
