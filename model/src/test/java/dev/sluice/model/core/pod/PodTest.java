package dev.sluice.model.core.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.tree.Yaml;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class PodTest {
  private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

  private static Pod pod(String status) {
    return new Pod(
        ApiObject.of(
            Yaml.parseAll(
                    """
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: p, creationTimestamp: "2030-01-01T11:00:00Z"}
                    """
                        + status)
                .getFirst()));
  }

  record ResizeCase(String name, String asked, String statuses, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<ResizeCase> RESIZES =
      List.of(
          new ResizeCase("no status yet", "cpu: 2", "", "{cpu=2000}"),
          new ResizeCase(
              "as asked", "cpu: 2", "[{name: a, allocatedResources: {cpu: 2000m}}]", "{cpu=2000}"),
          new ResizeCase(
              "about to grow",
              "cpu: 3, memory: 1k",
              "[{name: a, allocatedResources: {cpu: 2}, resources: {requests: {cpu: 1}}}]",
              "{cpu=3000, memory=1000}"),
          new ResizeCase(
              "about to shrink, and told so",
              "cpu: 1",
              "[{name: a, allocatedResources: {cpu: 1}, resources: {requests: {cpu: 2}}}]",
              "{cpu=2000}"),
          new ResizeCase(
              "may not grow",
              "cpu: 9, memory: 1k",
              "[{name: a, allocatedResources: {cpu: 2}}], conditions: [{type: PodResizePending,"
                  + " status: 'True', reason: Infeasible}]",
              "{cpu=2000, memory=1000}"));

  @ParameterizedTest
  @FieldSource("RESIZES")
  void whileItIsResizedTheLargerCounts(ResizeCase c) {
    Pod pod =
        pod(
            """
            spec: {nodeName: n, containers: [{name: a, resources: {requests: {%s}}}]}
            status: {containerStatuses: %s}
            """
                .formatted(c.asked(), c.statuses().isEmpty() ? "[]" : c.statuses()));

    assertThat(pod.specOnNode().requests().byResource()).hasToString(c.want());
  }

  @Test
  void endsWhenItsLastContainerDoes() {
    Pod pod =
        pod(
            """
            status:
              phase: Failed
              containerStatuses:
              - {name: a, state: {terminated: {finishedAt: "2030-01-01T11:30:00Z"}}}
              - {name: b, state: {terminated: {finishedAt: "2030-01-01T12:00:00Z"}}}
              conditions:
              - {type: Ready, status: "False", lastTransitionTime: "2030-01-01T11:40:00Z"}
            """);

    assertThat(pod.ended()).isEqualTo(NOON);
  }

  @Test
  void endsWhenItStoppedBeingReadyIfAContainerDoesNotSay() {
    Pod pod =
        pod(
            """
            status:
              containerStatuses:
              - {name: a, state: {running: {}}}
              conditions:
              - {type: Ready, status: "False", lastTransitionTime: "2030-01-01T12:00:00Z"}
            """);

    assertThat(pod.ended()).isEqualTo(NOON);
  }

  @Test
  void endsWhenItWasAskedToOrElseWhenItWasCreated() {
    Pod created = pod("");
    ApiObject deleted =
        created
            .object()
            .withMetadata("deletionTimestamp", "2030-01-01T12:00:30Z")
            .withMetadata("deletionGracePeriodSeconds", 30);

    assertThat(created.ended()).isEqualTo(Instant.parse("2030-01-01T11:00:00Z"));
    assertThat(new Pod(deleted).ended()).isEqualTo(NOON);
  }

  @Test
  void isActiveUntilItEndsOrIsAskedTo() {
    Pod active = pod("");

    assertThat(active.isActive()).isTrue();
    assertThat(active.withStatus(active.status().withPhase(Pod.Phase.FAILED)).isActive()).isFalse();
    Pod deleted =
        new Pod(active.object().withMetadata("deletionTimestamp", "2030-01-01T12:00:00Z"));
    assertThat(deleted.isActive()).isFalse();
    assertThat(deleted.isTerminating()).isTrue();
  }

  @Test
  void conditionsHaveNoEmptyWords() {
    PodStatus status =
        pod("").status().withCondition(new Condition(PodStatus.READY, true, "", ""), NOON);

    assertThat(status.tree())
        .hasToString(
            """
            {"conditions":[{"lastTransitionTime":"2030-01-01T12:00:00Z",\
            "status":"True","type":"Ready"}]}\
            """);
    assertThat(status.readySince()).contains(NOON);
  }
}
