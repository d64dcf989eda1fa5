package dev.sluice.controllers.queueing.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The source of a job's priority, and jobs whose priority class does not exist. */
class JobPriorityTest {
  private static final List<String> POD_PRIORITY_CLASS =
      List.of("spec", "template", "spec", "priorityClassName");

  private final QueuedWorld world = new QueuedWorld();

  private void priorityClass(String name, int value) {
    world.create(
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: %s}, value: %d}"
            .formatted(name, value));
  }

  private void podPriorityClass(String name, int value) {
    world.create(
        "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: %s}, value: %d}"
            .formatted(name, value));
  }

  private void defaultClass(String name, int value) {
    world.create(
        "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: %s}, value: %d, globalDefault: true}"
            .formatted(name, value));
  }

  @Test
  void priorityComesFromTheNearestClass() {
    defaultClass("all", 1);
    podPriorityClass("pods", 2);
    priorityClass("high", 3);
    UnaryOperator<ApiObject> podClass = job -> job.with(POD_PRIORITY_CLASS, "pods");
    world.createJob("default", UnaryOperator.identity());
    world.createJob("pods", podClass);
    world.createJob(
        "high", job -> podClass.apply(job).withLabel(KueueNames.PRIORITY_CLASS, "high"));
    world.run();

    assertThat(priority("default")).isEqualTo("1 all");
    assertThat(priority("pods")).isEqualTo("2 pods");
    assertThat(priority("high")).isEqualTo("3 high");
  }

  private String priority(String job) {
    Workload workload =
        world.workloads().stream()
            .filter(one -> one.object().isOwnedBy(world.job(job).object()))
            .findFirst()
            .orElseThrow();
    return workload.priority() + " " + workload.priorityClass().orElseThrow().name();
  }

  @Test
  void jobWaitsForAMissingPriorityClass() {
    world.createJob("j", job -> job.withLabel(KueueNames.PRIORITY_CLASS, "high"));
    world.run();
    assertThat(world.workloads()).isEmpty();
    assertThat(world.events("j"))
        .containsExactly(
            "Warning ErrWorkloadCompose: No Workload was created:"
                + " workloadpriorityclasses.kueue.x-k8s.io \"high\" not found");

    priorityClass("high", 3);
    world.run();

    assertThat(world.workload().priority()).isEqualTo(3);
  }

  /** Neither the default nor zero would be right: its pods could not even be created. */
  @Test
  void jobWaitsForAMissingPriorityClassOfItsPods() {
    defaultClass("all", 1);
    world.createJob("j", job -> job.with(POD_PRIORITY_CLASS, "pods"));
    world.run();
    assertThat(world.workloads()).isEmpty();

    podPriorityClass("pods", 2);
    world.run();

    assertThat(priority("j")).isEqualTo("2 pods");
  }

  @Test
  void jobKeepsThePriorityOfADeletedClass() {
    podPriorityClass("pods", 2);
    world.createJob("j", job -> job.with(POD_PRIORITY_CLASS, "pods"));
    world.run();

    ApiObject pods = world.cluster.require(Kinds.PRIORITY_CLASS.key("pods"));
    world.cluster.delete(Kinds.PRIORITY_CLASS, pods, Deletion.BACKGROUND);
    world.updateJob(
        job -> job.with(List.of("spec", "completions"), 7).with(List.of("spec", "parallelism"), 7));
    world.run();

    assertThat(world.workload().podSets().getFirst().count()).isEqualTo(7);
    assertThat(priority("j")).isEqualTo("2 pods");
  }

  /** Otherwise its quota would be lost. */
  @Test
  void jobWithADeletedClassStartsStopsAndEnds() {
    priorityClass("high", 9);
    world.createJob("j", job -> job.withLabel(KueueNames.PRIORITY_CLASS, "high"));
    world.run();
    ApiObject high = world.cluster.require(Kinds.WORKLOAD_PRIORITY_CLASS.key("high"));
    world.cluster.delete(Kinds.WORKLOAD_PRIORITY_CLASS, high, Deletion.BACKGROUND);
    world.admit(world.workload());
    world.run();
    assertThat(world.job("j").isSuspended()).isFalse();

    world.evict("Preempted");
    world.run();
    assertThat(world.workload().reserved()).isFalse();
    assertThat(world.workload().priority()).isEqualTo(9);

    world.updateJob(
        job -> job.with(List.of("spec", "completions"), 7).with(List.of("spec", "parallelism"), 7));
    world.run();
    assertThat(world.workload().podSets().getFirst().count()).isEqualTo(7);

    world.setJobStatus(
        "j", status -> new Condition("Complete", true, "R", "The end").in(status, world.now()));
    world.run();
    assertThat(world.workload().finished()).isTrue();
  }

  /** The class is created long after the last attempt, and long before the next. */
  @Test
  void lateClassTakesEffectAtOnce() {
    world.createJob("j", job -> job.withLabel(KueueNames.PRIORITY_CLASS, "high"));
    world.createPod("p", pod -> pod.withLabel(KueueNames.PRIORITY_CLASS, "high"));
    world.createJob("k", job -> job.with(POD_PRIORITY_CLASS, "low"));
    world.createPod("q", pod -> pod.with(List.of("spec", "priorityClassName"), "low"));
    Subscription timer = world.cluster.time().after(Duration.ofSeconds(50), this::lateClasses);
    world.run(Duration.ofSeconds(51));
    timer.close();

    assertThat(world.workloads())
        .extracting(Workload::priority)
        .containsExactlyInAnyOrder(9, 9, 2, 2);
  }

  private void lateClasses() {
    priorityClass("high", 9);
    podPriorityClass("low", 2);
  }

  @Test
  void jobWithoutAnyClassHasPriorityZero() {
    world.createJob("j", UnaryOperator.identity());
    world.run();

    assertThat(world.workload().priority()).isZero();
    assertThat(world.workload().priorityClass()).isEmpty();
  }
}
