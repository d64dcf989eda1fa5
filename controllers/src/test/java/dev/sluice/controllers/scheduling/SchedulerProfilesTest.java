package dev.sluice.controllers.scheduling;

import static dev.sluice.testkit.Worlds.driver;
import static dev.sluice.testkit.Worlds.pass;
import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.PrometheusText;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfigurationFile;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.Event;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A scheduler with the profiles of a file: each pod is treated as the profile it asks for says. */
@Timeout(30)
class SchedulerProfilesTest {
  private static final String FILE =
      """
      apiVersion: kubescheduler.config.k8s.io/v1
      kind: KubeSchedulerConfiguration
      podInitialBackoffSeconds: 20
      podMaxBackoffSeconds: 40
      profiles:
      - schedulerName: spreading
      - schedulerName: packing
        pluginConfig:
        - name: NodeResourcesFit
          args: {scoringStrategy: {type: MostAllocated}}
      - schedulerName: peaceful
        plugins: {postFilter: {disabled: [{name: DefaultPreemption}]}}
      """;

  private final FakeCluster cluster = new FakeCluster(1);
  private final PodScheduler scheduler =
      new PodScheduler(cluster, SchedulerConfigurationFile.read(FILE).configuration());
  private VirtualDriver driver;

  @BeforeEach
  void start() {
    driver = driver(cluster, 1, List.of(scheduler));
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  private void node(String name, int cpu) {
    cluster.create(
        Kinds.NODE,
        yaml(
            """
            apiVersion: v1
            kind: Node
            metadata: {name: %s}
            status: {allocatable: {cpu: %d, memory: 8Gi, pods: 110}}
            """
                .formatted(name, cpu)));
  }

  private Pod place(String name, String scheduler, int cpu, int priority) {
    cluster.create(
        Kinds.POD,
        yaml(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default}
            spec:
              schedulerName: %s
              priority: %d
              containers: [{name: a, resources: {requests: {cpu: %d}}}]
            """
                .formatted(name, scheduler, priority, cpu)));
    driver.settle();
    return pod(name);
  }

  private Pod pod(String name) {
    return new Pod(cluster.get(Kinds.POD.key("default", name)).orElseThrow());
  }

  @Test
  void eachPodGoesWhereItsProfileLikesItMost() {
    node("a", 8);
    node("b", 8);

    assertThat(place("first", "spreading", 1, 0).nodeName()).isEqualTo("a");
    assertThat(place("packed", "packing", 1, 0).nodeName()).isEqualTo("a");
    assertThat(place("spread", "spreading", 1, 0).nodeName()).isEqualTo("b");
    assertThat(place("packed-too", "packing", 1, 0).nodeName()).isEqualTo("a");
    assertThat(place("nobodys", "default-scheduler", 1, 0).isBound()).isFalse();
  }

  @Test
  void onlyPodsOfAProfileThatPreemptsPushOthersAway() {
    node("a", 2);
    place("low", "packing", 2, 1);

    assertThat(place("polite", "peaceful", 2, 9).isBound()).isFalse();
    assertThat(pod("low").isDeleting()).isFalse();
    place("rude", "spreading", 2, 9);
    assertThat(pod("low").isDeleting()).isTrue();
  }

  @Test
  void eventsAndMetricsNameTheProfile() {
    node("a", 2);
    place("p", "packing", 1, 0);
    place("q", "peaceful", 9, 0);

    assertThat(cluster.list(Kinds.EVENT))
        .map(event -> new Event(event).reason() + " " + event.tree().text("reportingComponent"))
        .contains("Scheduled packing", "FailedScheduling peaceful");
    assertThat(PrometheusText.of(scheduler.measurements()).lines())
        .contains(
            "scheduler_schedule_attempts_total{profile=\"packing\",result=\"scheduled\"} 1.0",
            "scheduler_schedule_attempts_total{profile=\"peaceful\",result=\"unschedulable\"} 1.0",
            "scheduler_unschedulable_pods{plugin=\"NodeResourcesFit\",profile=\"peaceful\"} 1.0");
  }

  @Test
  void failedPodBacksOffAsLongAsTheFileSays() {
    var refusing = new boolean[] {true};
    cluster.guard((kind, object) -> {
      if (kind.equals(Kinds.BINDING) && refusing[0]) {
        throw ApiFailure.forbidden(object.key(Kinds.POD), "not yet");
      }
    });
    node("a", 1);
    place("p", "packing", 1, 0);
    refusing[0] = false;

    pass(driver, cluster, Duration.ofSeconds(20));
    assertThat(pod("p").isBound()).isFalse();
    pass(driver, cluster, Duration.ofSeconds(2));
    assertThat(pod("p").isBound()).isTrue();
  }
}
