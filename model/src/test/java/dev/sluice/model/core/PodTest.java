package dev.sluice.model.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.tree.Yaml;
import java.time.Instant;
import org.junit.jupiter.api.Test;

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
