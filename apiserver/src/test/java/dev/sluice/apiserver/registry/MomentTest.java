package dev.sluice.apiserver.registry;

import static dev.sluice.apiserver.registry.World.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Moments of built-in kinds are kept in one form, whatever they were written in. */
class MomentTest {
  private final World world = new World();

  private static Tree node(String timeAdded) {
    return World.yaml(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: n}
        spec: {taints: [{key: k, effect: NoExecute, timeAdded: "%s"}]}
        """
            .formatted(timeAdded));
  }

  private static String timeAdded(ApiObject node) {
    return node.spec().trees("taints").getFirst().text("timeAdded");
  }

  @ParameterizedTest
  @CsvSource({
    "2026-01-01T00:00:00Z,2026-01-01T00:00:00Z",
    "2024-02-29T00:00:00Z,2024-02-29T00:00:00Z",
    "2026-01-01T00:00:00+02:00,2025-12-31T22:00:00Z",
    "2026-01-01T00:00:00-00:30,2026-01-01T00:30:00Z",
    "2024-02-29T23:30:00-01:30,2024-03-01T01:00:00Z",
    "2026-01-01T00:00:00.999999999Z,2026-01-01T00:00:00Z",
    "2026-01-01T00:00:00.9999999999999+01:00,2025-12-31T23:00:00Z",
  })
  void toTheSecondInUtc(String written, String want) {
    assertThat(timeAdded(world.create(Kinds.NODE, node(written)))).isEqualTo(want);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-01-01T00:00:00.123456Z,2026-01-01T00:00:00.123456Z",
    "2026-01-01T00:00:00.000000+02:00,2025-12-31T22:00:00.000000Z",
  })
  void toTheMicrosecondWhereTheFieldHasThem(String written, String want) {
    ApiObject lease =
        world.create(
            Kinds.LEASE,
            """
            apiVersion: coordination.k8s.io/v1
            kind: Lease
            metadata: {name: l}
            spec: {renewTime: "%s"}
            """
                .formatted(written));

    assertThat(lease.spec().text("renewTime")).isEqualTo(want);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "soon",
        "2026-01-01",
        "2026-01-01T00:00Z",
        "2026-01-01T00:00:00+0200",
        "2026-01-01T00:00:00+02",
        "2026-01-01T00:00:00+25:00",
        "2026-01-01T00:00:00+02:00:30",
        "2023-02-29T00:00:00+02:00",
        "2026-01-01T00:00:60Z"
      })
  void malformedTimeIsRefused(String written) {
    refused(Reason.BAD_REQUEST, () -> world.create(Kinds.NODE, node(written)));
  }

  @Test
  void theSameMomentInAnotherFormChangesNothing() {
    ApiObject node = world.create(Kinds.NODE, node("2025-12-31T22:00:00Z"));
    Tree again = node("2026-01-01T00:00:00.5+02:00");

    assertThat(world.update(Kinds.NODE, node.with(List.of("spec"), again.tree("spec"))))
        .isEqualTo(node);
  }

  @Test
  void inTheStatusTooButNotInWhatIsMeantForPeople() {
    String written = "2026-01-01T00:00:00+02:00";
    ApiObject pod = world.create(Kinds.POD, Samples.pod("p")).withAnnotation("at", written);
    ApiObject annotated = world.update(Kinds.POD, pod);

    ApiObject started =
        world.updateStatus(
            Kinds.POD, annotated.withStatus(annotated.status().with("startTime", written)));

    assertThat(started.status().text("startTime")).isEqualTo("2025-12-31T22:00:00Z");
    assertThat(started.annotation("at")).isEqualTo(written);
  }
}
