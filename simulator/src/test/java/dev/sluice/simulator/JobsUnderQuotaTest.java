package dev.sluice.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.cluster.EmbeddedCluster;
import dev.sluice.apiserver.registry.StoreRegistry;
import dev.sluice.controllers.housekeeping.ResourceQuotaController;
import dev.sluice.controllers.jobs.JobController;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.runtime.VirtualTime;
import dev.sluice.store.Store;
import dev.sluice.store.Stores;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A Job whose pods do not all fit into the quota of its namespace. */
@Timeout(30)
class JobsUnderQuotaTest {
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final SplittableRandom random = new SplittableRandom(1);
  private final Store store = Stores.inMemory();
  private final StoreRegistry registry = new StoreRegistry(store, time, random, List.of());
  private final EmbeddedCluster cluster = new EmbeddedCluster(registry, store, time, random);
  private final VirtualDriver driver =
      new VirtualDriver(
          cluster,
          time,
          random,
          List.of(
              new JobController(cluster),
              new ResourceQuotaController(cluster, List.of(Kinds.POD, Kinds.JOB))));

  @BeforeEach
  void aJobOfFiftyPodsUnderAQuotaOfNine() {
    registry.bootstrap();
    cluster.create(
        Kinds.RESOURCE_QUOTA,
        Worlds.yaml(
            "{apiVersion: v1, kind: ResourceQuota, metadata: {name: q, namespace: default}, spec:"
                + " {hard: {pods: 9}}}"));
    cluster.create(
        Kinds.JOB,
        Worlds.yaml(
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: j, namespace: default}
            spec:
              parallelism: 50
              completions: 50
              template:
                spec:
                  restartPolicy: Never
                  containers: [{name: main, image: "busybox:1.36"}]
            """));
    driver.start();
    driver.settle();
  }

  @AfterEach
  void close() {
    driver.close();
    registry.close();
    store.close();
  }

  private void pass(long seconds) {
    Instant end = time.now().plus(Duration.ofSeconds(seconds));
    var reached = time.after(Duration.ofSeconds(seconds), () -> {});
    driver.runUntil(end);
    reached.close();
  }

  private JobStatus status() {
    return new Job(cluster.get(Kinds.JOB.key("default", "j")).orElseThrow()).status();
  }

  private List<Pod> active() {
    return cluster.list(Kinds.POD, "default").stream().map(Pod::new).filter(Pod::isActive).toList();
  }

  private List<ApiObject> refusals() {
    return cluster.list(Kinds.EVENT, "default").stream()
        .filter(event -> event.tree().text("reason").equals("FailedCreate"))
        .toList();
  }

  @Test
  void asManyPodsRunAsFitAndTheFirstRefusalEndsTheLook() {
    assertThat(active()).hasSize(9);
    assertThat(status().active()).isEqualTo(9);
    assertThat(status().failed()).isZero();
    // Of the batches of 1, 2, 4 and 8 only the last one met the limit.
    assertThat(refusals()).hasSize(6);
    assertThat(refusals().getFirst().tree().text("message"))
        .matches(
            "Error creating: pods \"j-.{5}\" is forbidden: exceeded quota: q, requested: pods=1,"
                + " used: pods=9, limited: pods=9");
  }

  @Test
  void podsThatEndMakeRoomForOthersUntilAllHaveRun() {
    for (int i = 0; i < 100 && !status().holds(JobStatus.COMPLETE); i++) {
      assertThat(active()).hasSizeLessThanOrEqualTo(9);
      active()
          .forEach(pod ->
              cluster.patchStatus(
                  Kinds.POD, pod.object(), pod.status().withPhase(Pod.Phase.SUCCEEDED).tree()));
      pass(65);
    }

    assertThat(status().succeeded()).isEqualTo(50);
    assertThat(
            cluster
                .get(Kinds.RESOURCE_QUOTA.key("default", "q"))
                .orElseThrow()
                .status()
                .text("used", "pods"))
        .isEqualTo("0");
  }
}
