package dev.sluice.controllers.scheduling;

import static dev.sluice.testkit.Worlds.driver;
import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.PrometheusText;
import dev.sluice.model.Kinds;
import dev.sluice.testkit.FakeCluster;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SchedulerMetricsTest {
  private final FakeCluster cluster = new FakeCluster(1);
  private final PodScheduler scheduler = new PodScheduler(cluster, "mine");

  private void pod(String name, int cpu, String more) {
    cluster.create(
        Kinds.POD,
        yaml(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default}
            spec:
              schedulerName: mine
              containers: [{name: a, resources: {requests: {cpu: %d}}}]
              %s
            """
                .formatted(name, cpu, more)));
  }

  @Test
  void everythingHasTheNameThatDashboardsKnow() {
    cluster.create(
        Kinds.NODE,
        yaml(
            """
            apiVersion: v1
            kind: Node
            metadata: {name: n}
            status: {allocatable: {cpu: 2, memory: 8Gi, pods: 110}}
            """));
    try (var driver = driver(cluster, 1, List.of(scheduler))) {
      pod("low", 2, "priority: 1");
      driver.settle();
      pod("too-big", 9, "");
      pod("gated", 1, "schedulingGates: [{name: g}]");
      pod("high", 2, "priority: 5");
      driver.settle();
    }

    assertThat(PrometheusText.of(scheduler.measurements()).lines())
        .contains(
            "scheduler_schedule_attempts_total{profile=\"mine\",result=\"scheduled\"} 1.0",
            "scheduler_schedule_attempts_total{profile=\"mine\",result=\"unschedulable\"} 2.0",
            "scheduler_scheduling_attempt_duration_seconds_count{profile=\"mine\",result=\"scheduled\"}"
                + " 1",
            "scheduler_scheduling_algorithm_duration_seconds_count 3",
            "scheduler_pod_scheduling_sli_duration_seconds_count{attempts=\"1\"} 1",
            "scheduler_pod_scheduling_attempts_bucket{le=\"1.0\"} 1",
            "scheduler_preemption_attempts_total 1.0",
            "scheduler_preemption_victims_sum 1.0",
            "scheduler_pending_pods{queue=\"active\"} 0.0",
            "scheduler_pending_pods{queue=\"unschedulable\"} 2.0",
            "scheduler_pending_pods{queue=\"gated\"} 1.0",
            "scheduler_unschedulable_pods{plugin=\"NodeResourcesFit\",profile=\"mine\"} 2.0",
            "scheduler_cache_size{type=\"nodes\"} 1.0",
            "scheduler_cache_size{type=\"pods\"} 1.0",
            "scheduler_cache_size{type=\"assumed_pods\"} 0.0",
            "scheduler_queue_incoming_pods_total{event=\"PodAdd\",queue=\"active\"} 3.0",
            "scheduler_queue_incoming_pods_total{event=\"ScheduleAttemptFailure\",queue=\"unschedulable\"}"
                + " 2.0",
            "scheduler_goroutines{operation=\"binding\"} 0.0",
            "scheduler_plugin_execution_duration_seconds_count{extension_point=\"Bind\",plugin=\"DefaultBinder\",status=\"Success\"}"
                + " 1",
            step("PreFilter"),
            step("Filter"),
            step("Score"),
            step("Bind"))
        .anyMatch(line -> line.startsWith("scheduler_event_handling_duration_seconds_count{"));
  }

  private static String step(String name) {
    return "scheduler_framework_extension_point_duration_seconds_count{extension_point=\"%s\",profile=\"mine\",status=\"Success\"} 1"
        .formatted(name);
  }
}
