package dev.sluice.model.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobTest {
  private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

  private static Job job(String spec) {
    return new Job(
        ApiObject.of(
            Yaml.parseAll(
                    """
                    apiVersion: batch/v1
                    kind: Job
                    metadata: {name: j, namespace: n, uid: u}
                    spec:
                      template:
                        metadata:
                          labels: {a: b}
                          annotations: {c: d}
                        spec: {restartPolicy: Never}
                    """
                        + spec.indent(2))
                .getFirst()));
  }

  @Test
  void hasTheDefaultsOfTheApi() {
    Job job = job("");

    assertThat(job.parallelism()).isEqualTo(1);
    assertThat(job.completions()).isEmpty();
    assertThat(job.backoffLimit()).isEqualTo(6);
    assertThat(job.isSuspended()).isFalse();
    assertThat(job.isManagedHere()).isTrue();
    assertThat(job.isNonIndexed()).isTrue();
    assertThat(job.replacesOnlyFailed()).isFalse();
  }

  @Test
  void aPodFailurePolicyWaitsForPodsToEndToo() {
    assertThat(job("podFailurePolicy: {rules: []}").replacesOnlyFailed()).isTrue();
    assertThat(job("podReplacementPolicy: Failed").replacesOnlyFailed()).isTrue();
    assertThat(job("podReplacementPolicy: TerminatingOrFailed").replacesOnlyFailed()).isFalse();
  }

  @Test
  void podsInheritTheTemplateAndShareItsSpecification() {
    Job job = job("");
    ApiObject pod = job.pod("j-x", "j-");

    assertThat(pod.tree())
        .hasToString(
            """
            {"apiVersion":"v1","kind":"Pod","metadata":{"annotations":{"c":"d"},\
            "finalizers":["batch.kubernetes.io/job-tracking"],"generateName":"j-",\
            "labels":{"a":"b"},"name":"j-x","namespace":"n","ownerReferences":[\
            {"apiVersion":"batch/v1","blockOwnerDeletion":true,"controller":true,"kind":"Job",\
            "name":"j","uid":"u"}]},"spec":{"restartPolicy":"Never"}}\
            """);
    assertThat(pod.spec()).isSameAs(job.template().tree("spec"));
  }

  @Test
  void statusLeavesOutTheZerosThatKubernetesLeavesOut() {
    JobStatus status =
        new JobStatus(Tree.EMPTY)
            .withLiving(0, 0, 0)
            .withCounted(0, 0)
            .withUncounted(new JobStatus.Uncounted(List.of(), List.of()));

    assertThat(status.tree())
        .hasToString("{\"ready\":0,\"terminating\":0,\"uncountedTerminatedPods\":{}}");
  }

  @Test
  void aConditionReplacesTheOneOfItsTypeAndKeepsItsPlace() {
    JobStatus status =
        new JobStatus(Tree.EMPTY)
            .withCondition(new Condition(JobStatus.SUSPENDED, true, "A", "a"), NOON)
            .withCondition(new Condition("Other", true, "B", "b"), NOON)
            .withCondition(
                new Condition(JobStatus.SUSPENDED, false, "C", "c"), NOON.plusSeconds(1));

    assertThat(status.tree().trees("conditions"))
        .extracting(condition -> condition.text("type") + condition.text("reason"))
        .containsExactly("SuspendedC", "OtherB");
    assertThat(status.condition(JobStatus.SUSPENDED).orElseThrow().text("lastProbeTime"))
        .isEqualTo("2030-01-01T12:00:01Z");
  }
}
