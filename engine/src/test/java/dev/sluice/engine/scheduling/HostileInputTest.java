package dev.sluice.engine.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pods that are made to be hard to place cost others little, and are told why they wait. */
@Timeout(60)
class HostileInputTest {
  private static final int NODES = 1000;
  private final SchedulingScene scene = new SchedulingScene();

  @BeforeEach
  void manyNodes() {
    String taints = "taints: [{key: a, effect: NoSchedule}, {key: b, effect: NoSchedule}]";
    for (int i = 0; i < NODES; i++) {
      scene.node("n" + i, "cpu: 4", "zone: z" + i % 10, i == 0 ? "" : taints);
    }
  }

  private static String list(int count, String item) {
    return IntStream.range(0, count)
        .mapToObj(i -> item.replace("#", Integer.toString(i)))
        .collect(Collectors.joining(", "));
  }

  private static String affinity(String terms) {
    return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
        + " {nodeSelectorTerms: [%s]}}}".formatted(terms);
  }

  @Test
  void tenThousandTolerations() {
    String tolerations = list(10_000, "{key: k#, operator: Exists}");
    for (int i = 0; i < 4; i++) {
      String more = "tolerations: [%s, {key: own, value: v%d}]".formatted(tolerations, i);
      assertThat(scene.place(scene.pod("p" + i, "cpu: 5", more)))
          .startsWith(
              "0/1000 nodes are available: 1 Insufficient cpu, 999 node(s) had untolerated"
                  + " taint(s).");
    }

    assertThat(scene.place(scene.pod("plain", "cpu: 1"))).isEqualTo("n0");
  }

  @Test
  void thousandsOfTermsOfAffinity() {
    String terms = list(2_000, "{matchExpressions: [{key: zone, operator: In, values: [x#]}]}");
    for (int i = 0; i < 5; i++) {
      String more =
          "nodeSelector: {}, priority: %d, tolerations: [{operator: Exists}], %s"
              .formatted(i, affinity(terms));
      assertThat(scene.place(scene.pod("p" + i, "cpu: 1m", more)))
          .startsWith(
              "0/1000 nodes are available: 1000 node(s) didn't match Pod's node"
                  + " affinity/selector.");
    }

    assertThat(scene.place(scene.pod("plain", "cpu: 1"))).isEqualTo("n0");
  }

  @Test
  void requestsBeyondAnyNumber() {
    assertThat(scene.place(scene.pod("p", "cpu: '1e30', memory: 9223372036854775807Ei")))
        .startsWith(
            "0/1000 nodes are available: 1 Insufficient cpu, 1 Insufficient memory, 999 node(s) had"
                + " untolerated taint(s).");
    assertThat(scene.place(scene.pod("plain", "cpu: 1"))).isEqualTo("n0");
  }

  @Test
  void aThousandKindsOfDevicesAreNamedInOneLine() {
    String message = scene.place(scene.pod("p", list(1000, "example.com/d#: 1")));

    assertThat(message).startsWith("0/1000 nodes are available: ").doesNotContain("\n");
    assertThat(message).contains("1 Insufficient example.com/d999");
    assertThat(scene.place(scene.pod("plain", "cpu: 1"))).isEqualTo("n0");
  }
}
