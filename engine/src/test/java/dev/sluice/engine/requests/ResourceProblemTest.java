package dev.sluice.engine.requests;

import static dev.sluice.engine.requests.PodText.pod;
import static dev.sluice.engine.requests.PodText.ranges;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.core.pod.PodSpec;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Pods that would never start, whatever quota there is. */
class ResourceProblemTest {
  record Case(String name, String pod, List<String> limits, List<String> want) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String BOUNDS =
      "{type: Container, min: {cpu: 500m}, max: {cpu: 2, memory: 1Gi}, defaultRequest: {cpu: 1}}";

  static final List<Case> PROBLEMS =
      List.of(
          new Case("within bounds", "containers: [{name: a}]", List.of(BOUNDS), List.of()),
          new Case(
              "above own limits",
              """
              resources: {requests: {cpu: 9}, limits: {cpu: 8}}
              initContainers: [{name: i, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]
              containers:
              - {name: a, resources: {requests: {cpu: 1}, limits: {cpu: 1}}}
              - {name: b, resources: {requests: {memory: 2Gi}, limits: {memory: 1Gi}}}
              """,
              List.of(),
              List.of(
                  "spec.initContainers[0].resources.requests[cpu]: 2 is above the limit of 1",
                  "spec.containers[1].resources.requests[memory]: 2Gi is above the limit of 1Gi",
                  "spec.resources.requests[cpu]: 9 is above the limit of 8")),
          new Case(
              "above the default limit",
              "containers: [{name: a, resources: {requests: {cpu: 5}}}]",
              List.of("{type: Container, default: {cpu: 4}}"),
              List.of("spec.containers[0].resources.requests[cpu]: 5 is above the limit of 4")),
          new Case(
              "outside the bounds of containers",
              """
              initContainers: [{name: i, resources: {requests: {cpu: 100m}}}]
              containers: [{name: a, resources: {requests: {cpu: 1}, limits: {cpu: 3}}}]
              """,
              List.of(BOUNDS),
              List.of(
                  "spec.initContainers[0]: 100m cpu is below the minimum of 500m",
                  "spec.containers[0]: 3 cpu is above the maximum of 2")),
          new Case(
              "the tightest of several bounds",
              "containers: [{name: a, resources: {requests: {cpu: 3}, limits: {cpu: 3}}}]",
              List.of("{type: Container, max: {cpu: 9}}", "{type: Container, max: {cpu: 2}}"),
              List.of("spec.containers[0]: 3 cpu is above the maximum of 2")),
          new Case(
              "outside the bounds of pods, all containers together",
              """
              containers:
              - {name: a, resources: {requests: {cpu: 2, memory: 1}}}
              - {name: b, resources: {requests: {cpu: 2}}}
              """,
              List.of("{type: Pod, max: {cpu: 3}, min: {memory: 2, gpu: 1}}"),
              List.of(
                  "spec: 1 memory is below the minimum of 2",
                  "spec: 4 cpu is above the maximum of 3")));

  @ParameterizedTest
  @FieldSource("PROBLEMS")
  void findsWhatWouldNeverStart(Case c) {
    List<ResourceProblem> problems =
        RequestRules.NONE.problems(pod(c.pod()), ranges(c.limits()), Optional.empty());

    assertThat(problems).extracting(ResourceProblem::text).isEqualTo(c.want());
  }

  @Test
  void saysFirstWhatIsWrongInAnyNamespace() {
    PodSpec pod = pod("containers: [{name: a, resources: {requests: {cpu: 5}, limits: {cpu: 4}}}]");

    assertThat(message(pod, BOUNDS))
        .isEqualTo(
            "resources validation failed: spec.containers[0].resources.requests[cpu]:"
                + " 5 is above the limit of 4");
    assertThat(message(pod("containers: [{name: a, resources: {limits: {cpu: 4}}}]"), BOUNDS))
        .isEqualTo(
            "resources didn't satisfy LimitRange constraints: spec.containers[0]:"
                + " 4 cpu is above the maximum of 2");
  }

  private static String message(PodSpec pod, String limits) {
    return ResourceProblem.message(
        RequestRules.NONE.problems(pod, ranges(List.of(limits)), Optional.empty()));
  }
}
