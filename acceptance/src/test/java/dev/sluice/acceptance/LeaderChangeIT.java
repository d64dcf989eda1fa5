package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A manager that leads goes away in the middle of something, and another one goes on with it. */
@Timeout(180)
@RequiresKubernetes
class LeaderChangeIT {
  private static final String LEADS = "Sluice manages the queues of";

  private final RealKubernetes kubernetes;
  private final QueueInCluster queue;

  /** Every test has a queue of its own, and the names of its jobs begin like it. */
  private final String own;

  @TempDir private Path folder;

  LeaderChangeIT(RealKubernetes kubernetes, TestInfo test) {
    this.kubernetes = kubernetes;
    this.own = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    this.queue = new QueueInCluster(kubernetes.kubectl(), own);
  }

  private SluiceProcess first;
  private SluiceProcess second;

  @BeforeEach
  void install() {
    var installation = Installation.into(kubernetes, folder);
    first = installation.manager();
    // A manager of an earlier test that was killed is waited for.
    first.awaitLine(LEADS);
    second = installation.manager();
    second.awaitLine("Sluice stands by");
  }

  /** Who leads gives its lease back, for the next test. */
  @AfterEach
  void stop() {
    Stream.of(first, second).filter(SluiceProcess::isAlive).forEach(SluiceProcess::terminate);
  }

  @Test
  void pendingWorkloadsStayPending() {
    queue.open(1, "");
    queue.awaitWebhooks();
    queue.submit(own + "-runs");
    queue.awaitStarted(own + "-runs");
    queue.submit(own + "-waits");
    await()
        .atMost(QueueInCluster.PATIENCE)
        .untilAsserted(() ->
            assertThat(queue.read("clusterqueue/" + own, "{.status.pendingWorkloads}"))
                .isEqualTo("1"));
    String decided = queue.decided(own + "-runs");

    assertThat(first.terminate().exitCode()).isZero();
    awaitSecond();

    assertThat(queue.suspended(own + "-waits")).isEqualTo("true");
    assertThat(queue.decided(own + "-runs")).contains("plain").isEqualTo(decided);
    kubernetes.kubectl().run("delete", "job", own + "-runs").orFail();
    queue.awaitStarted(own + "-waits");
  }

  @Test
  void quotaStaysReservedUntilTheChecksAnswer() {
    queue.apply(
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: AdmissionCheck, metadata: {name: %s}, spec: {controllerName: example.com/x}}"
            .formatted(own));
    queue.patchStatus(
        "admissioncheck/" + own,
        """
        {"status": {"conditions": [{"type": "Active", "status": "True", "reason": "Active",
         "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}
        """);
    queue.open(1, ", admissionChecksStrategy: {admissionChecks: [{name: %s}]}".formatted(own));
    queue.awaitWebhooks();
    String job = own + "-job";
    queue.submit(job);
    await()
        .atMost(QueueInCluster.PATIENCE)
        .untilAsserted(() ->
            assertThat(queue.decided(job) + queue.ofWorkload(job, "{.status.admissionChecks}"))
                .contains("plain", "Pending"));
    String decided = queue.decided(job);

    first.kill();
    awaitSecond();
    assertThat(queue.suspended(job)).isEqualTo("true");
    queue.patchStatus(
        "workload/" + queue.ofWorkload(job, "{.metadata.name}"),
        """
        {"status": {"admissionChecks": [{"name": "%s", "state": "Ready", "message": "",
         "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}
        """
            .formatted(own));

    queue.awaitStarted(job);
    assertThat(queue.decided(job)).isEqualTo(decided);
  }

  @Test
  void aPreemptionIsFinishedAndNotRepeated() {
    queue.apply(
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name:"
            + " urgent}, value: 100}");
    queue.open(2, ", preemption: {withinClusterQueue: LowerPriority}");
    queue.awaitWebhooks();
    List<String> modest = List.of(own + "-a", own + "-b");
    modest.forEach(queue::submit);
    modest.forEach(queue::awaitStarted);
    modest.forEach(queue::sayRuns);
    queue.submit(own + "-urgent", ", kueue.x-k8s.io/priority-class: urgent");
    await()
        .atMost(QueueInCluster.PATIENCE)
        .untilAsserted(() -> assertThat(queue.preempted(modest)).hasSize(1));
    String victim = queue.preempted(modest).getFirst();
    String spared = modest.stream().filter(job -> !job.equals(victim)).findFirst().orElseThrow();
    String decided = queue.decided(spared);

    // The victim's quota is held until its controller says that nothing of it runs.
    first.kill();
    awaitSecond();
    queue.awaitSuspended(victim, "true");
    assertThat(queue.suspended(own + "-urgent")).isEqualTo("true");
    queue.sayStopped(victim);

    queue.awaitStarted(own + "-urgent");
    assertThat(queue.preempted(modest)).containsExactly(victim);
    assertThat(queue.ofWorkload(victim, "{.status.schedulingStats.evictions[*].count}"))
        .isEqualTo("1");
    assertThat(queue.decided(spared)).contains("plain").isEqualTo(decided);
  }

  /** A lease that was not released expires after a quarter of a minute. */
  private void awaitSecond() {
    second.awaitLine(LEADS);
    queue.awaitWebhooks();
  }
}
