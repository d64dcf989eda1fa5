package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.conformance.KubernetesBinaries;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A manager whose API server goes away and comes back. */
@Timeout(180)
@RequiresKubernetes
class ManagerOutageIT {
  private static final List<String> MODEST = List.of("a", "b");

  private RealKubernetes kubernetes;
  private SluiceProcess sluice;
  private QueueInCluster queue;

  /** How an API server goes away for a while. */
  enum Outage {
    RESTART {
      @Override
      void befall(RealKubernetes kubernetes) {
        kubernetes.stopApiServer();
        kubernetes.startApiServer();
      }
    },
    /** Longer than a leader may go without renewing its lease. */
    STANDSTILL {
      @Override
      void befall(RealKubernetes kubernetes) {
        kubernetes.freezeApiServer();
        await().pollDelay(Duration.ofSeconds(18)).atMost(Duration.ofSeconds(30)).until(() -> true);
        kubernetes.thawApiServer();
      }
    };

    abstract void befall(RealKubernetes kubernetes);
  }

  @BeforeEach
  void start() {
    kubernetes = RealKubernetes.start(KubernetesBinaries.find().orElseThrow());
    sluice = SluiceProcess.start("manager", "--kubeconfig", kubernetes.kubeconfig().toString());
    assertThat(sluice.readyLine()).contains("Sluice manages the queues of");
    queue = new QueueInCluster(kubernetes.kubectl(), "all");
  }

  @AfterEach
  void stop() {
    sluice.close();
    kubernetes.close();
  }

  @Test
  void aManagerGoesOnWhenItsServerIsBack() {
    queue.open(2, "");
    start("before");
    String decided = queue.decided("before");

    Outage.RESTART.befall(kubernetes);

    start("after");
    assertThat(queue.decided("before")).contains("plain").isEqualTo(decided);
    assertThat(sluice.terminate().exitCode()).isZero();
  }

  /** The quota of the victim is held until its controller says that nothing of it runs. */
  @ParameterizedTest
  @EnumSource(Outage.class)
  void aPreemptionUnderWayIsFinishedAndNotRepeated(Outage outage) {
    full();
    queue.submit("urgent", ", kueue.x-k8s.io/priority-class: urgent");
    String victim = awaitVictim();
    queue.awaitSuspended(victim, "true");

    outage.befall(kubernetes);

    assertThat(queue.suspended("urgent")).isEqualTo("true");
    finish(victim);
  }

  /** Whether the victim was evicted before the outage or not, it is evicted once. */
  @Test
  void aPreemptionThatIsBeingDecidedIsDecidedOnce() {
    full();
    queue.submit("urgent", ", kueue.x-k8s.io/priority-class: urgent");

    Outage.RESTART.befall(kubernetes);

    String victim = awaitVictim();
    queue.awaitSuspended(victim, "true");
    finish(victim);
  }

  /** Two jobs use all there is, and a third may take the place of one. */
  private void full() {
    queue.apply(
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name:"
            + " urgent}, value: 100}");
    queue.open(2, ", preemption: {withinClusterQueue: LowerPriority}");
    MODEST.forEach(this::start);
    MODEST.forEach(queue::sayRuns);
  }

  private String awaitVictim() {
    await()
        .atMost(QueueInCluster.PATIENCE)
        .untilAsserted(() -> assertThat(queue.preempted(MODEST)).hasSize(1));
    return queue.preempted(MODEST).getFirst();
  }

  private void finish(String victim) {
    String spared = MODEST.stream().filter(job -> !job.equals(victim)).findFirst().orElseThrow();
    String decided = queue.decided(spared);

    queue.sayStopped(victim);
    queue.awaitStarted("urgent");

    assertThat(queue.preempted(MODEST)).containsExactly(victim);
    assertThat(queue.ofWorkload(victim, "{.status.schedulingStats.evictions[*].count}"))
        .isEqualTo("1");
    assertThat(queue.suspended(spared)).isEqualTo("false");
    assertThat(queue.decided(spared)).contains("plain").isEqualTo(decided);
  }

  /** Creates a job, by whatever way it comes to be suspended, and waits until it is started. */
  private void start(String job) {
    // The webhooks may not be registered yet, or another instance may hold the lease for a short
    // time.
    await().atMost(QueueInCluster.PATIENCE).untilAsserted(() -> queue.submit(job));
    await()
        .atMost(QueueInCluster.PATIENCE)
        .untilAsserted(() -> assertThat(queue.decided(job)).contains("plain"));
    queue.awaitStarted(job);
  }
}
