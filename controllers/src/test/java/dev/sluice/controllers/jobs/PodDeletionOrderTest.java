package dev.sluice.controllers.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.core.pod.Pod;
import dev.sluice.testkit.Worlds;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Each reason to remove one pod before another, and that the reasons before it count more. */
class PodDeletionOrderTest {

  /** Two pods, of which the first goes first; what they do not say is alike. */
  record Case(String name, String first, String second) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String BOUND = "spec: {nodeName: n}";
  private static final String OLD = "created: '2026-01-01T00:00:00Z'";
  private static final String NEW = "created: '2026-01-01T00:00:09Z'";

  static final List<Case> CASES =
      List.of(
          new Case("without a node", "{status: {phase: Running}}", "{" + BOUND + "}"),
          new Case(
              "pending before unknown", "{status: {phase: Pending}}", "{status: {phase: Unknown}}"),
          new Case(
              "unknown before running", "{status: {phase: Unknown}}", "{status: {phase: Running}}"),
          new Case("not ready before ready", "{restarts: 0}", "{ready: ''}"),
          new Case(
              "ready for a shorter time",
              "{ready: '2026-01-01T00:00:09Z', restarts: 0}",
              "{ready: '2026-01-01T00:00:00Z', restarts: 9}"),
          new Case(
              "ready since nobody knows when", "{ready: ''}", "{ready: '2026-01-01T00:00:09Z'}"),
          new Case("more restarts", "{restarts: 2, " + OLD + "}", "{restarts: 1, " + NEW + "}"),
          new Case("more restarts of sidecars", "{sidecar: 2}", "{sidecar: 1}"),
          new Case("the work's restarts count more", "{restarts: 1, sidecar: 0}", "{sidecar: 9}"),
          new Case("newer", "{" + NEW + "}", "{" + OLD + "}"),
          new Case("created nobody knows when", "{created: ''}", "{" + NEW + "}"),
          new Case("an earlier name, so that chance does not decide", "{}", "{}"));

  @ParameterizedTest
  @FieldSource("CASES")
  void goesFirst(Case c) {
    Pod first = pod("a", c.first());
    Pod second = pod("b", c.second());

    assertThat(PodDeletionOrder.FIRST_TO_GO.compare(first, second)).isNegative();
    assertThat(PodDeletionOrder.FIRST_TO_GO.compare(second, first)).isPositive();
  }

  private static Pod pod(String name, String facts) {
    var told = Worlds.yaml(facts).tree();
    String created = told.has("created") ? told.text("created") : "2026-01-01T00:00:00Z";
    String ready =
        told.has("ready")
            ? "{type: Ready, status: 'True', lastTransitionTime: '%s'}"
                .formatted(told.text("ready"))
            : "{type: Ready, status: 'False'}";
    return new Pod(
        Worlds.yaml(
            """
            metadata: {name: %s, namespace: default, creationTimestamp: '%s'}
            spec:
              nodeName: '%s'
              initContainers: [{name: side, restartPolicy: Always}]
              containers: [{name: main}]
            status:
              phase: %s
              conditions: [%s]
              containerStatuses: [{name: main, restartCount: %d}]
              initContainerStatuses: [{name: side, restartCount: %d}]
            """
                .formatted(
                    name,
                    created,
                    told.text("spec", "nodeName"),
                    told.has("status") ? told.text("status", "phase") : "Running",
                    ready,
                    told.whole("restarts").orElse(0),
                    told.whole("sidecar").orElse(0))));
  }
}
