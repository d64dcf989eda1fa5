package dev.sluice.engine.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.ResourceIndex;
import dev.sluice.engine.scheduling.framework.Placement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * Random clusters, in which pods come and go and nodes change. {@code -Dseed=N} repeats one of
 * them.
 */
class SchedulerPropertyTest {
  private static final long SEED = Long.getLong("seed", 1);

  /** A node's labels and spec, and the pods on it, to build a cluster anew. */
  private record Sketch(String allocatable, String labels, String spec) {}

  private final Map<String, Sketch> nodes = new LinkedHashMap<>();
  private final Map<PodFacts, String> placed = new LinkedHashMap<>();

  private static SchedulingScene build(Map<String, Sketch> nodes) {
    var scene = new SchedulingScene();
    nodes.forEach((name, node) -> scene.node(name, node.allocatable(), node.labels(), node.spec()));
    return scene;
  }

  @RepeatedTest(5)
  void rememberedResultEqualsAFreshOne(RepetitionInfo repetition) {
    var random = new SplittableRandom(SEED + repetition.getCurrentRepetition());
    for (int i = 0; i < 12; i++) {
      nodes.put("n" + i, node(random));
    }
    SchedulingScene live = build(nodes);

    for (int step = 0; step < 100; step++) {
      if (random.nextInt(10) == 0) {
        String name = "n" + random.nextInt(12);
        Sketch fresh = node(random);
        // a node that changes keeps its place in the order, and in this map
        Sketch now =
            nodes.merge(
                name,
                fresh,
                (old, _) -> new Sketch(fresh.allocatable(), old.labels(), fresh.spec()));
        live.node(name, now.allocatable(), now.labels(), now.spec());
      } else if (random.nextInt(4) == 0 && !placed.isEmpty()) {
        PodFacts gone = new ArrayList<>(placed.keySet()).get(random.nextInt(placed.size()));
        placed.remove(gone);
        live.state.take(gone.key());
      }
      PodFacts pod = pod(live, "p" + step, random);
      SchedulingScene anew = build(nodes);
      placed.forEach((other, node) -> anew.on(node, other));

      Placement found = live.scheduler.place(pod);

      assertThat(found)
          .as("step %d of seed %d", step, SEED + repetition.getCurrentRepetition())
          .isEqualTo(anew.scheduler.place(pod));
      if (found instanceof Placement.OnNode(String node)) {
        live.state.place(pod, node);
        placed.put(pod, node);
        if (pod.signature().demand().size() > 0) {
          assertFits(live.state(node));
        }
      }
    }
  }

  /** A node may shrink below what is on it; but then nobody else may come. */
  private static void assertFits(NodeState node) {
    assertThat(node.free(ResourceIndex.CPU)).isNotNegative();
    assertThat(node.free(ResourceIndex.MEMORY)).isNotNegative();
  }

  private static Sketch node(SplittableRandom random) {
    String taint =
        switch (random.nextInt(4)) {
          case 0 -> "taints: [{key: k, value: v, effect: NoSchedule}]";
          case 1 -> "taints: [{key: soft, effect: PreferNoSchedule}]";
          default -> "";
        };
    return new Sketch(
        "cpu: %d, memory: %dGi".formatted(2 + random.nextInt(4), 4 + random.nextInt(8)),
        "zone: %s, disk: %s".formatted("abc".charAt(random.nextInt(3)), random.nextInt(2)),
        taint);
  }

  private static PodFacts pod(SchedulingScene scene, String name, SplittableRandom random) {
    String app = List.of("x", "y").get(random.nextInt(2));
    String selector = "labelSelector: {matchLabels: {app: %s}}".formatted(app);
    String more =
        switch (random.nextInt(12)) {
          case 0 ->
              "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable:"
                  + " DoNotSchedule, %s}]".formatted(selector);
          case 1 ->
              "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable:"
                  + " ScheduleAnyway, %s}]".formatted(selector);
          case 2 ->
              "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                  + " [{topologyKey: kubernetes.io/hostname, %s}]}}".formatted(selector);
          case 3 ->
              "affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight:"
                  + " 5, podAffinityTerm: {topologyKey: zone, %s}}]}}".formatted(selector);
          case 4 -> "nodeSelector: {disk: '1'}";
          case 5 -> "tolerations: [{key: k, operator: Exists}]";
          default -> "";
        };
    String requests =
        random.nextInt(5) == 0
            ? ""
            : "cpu: %dm, memory: %dMi"
                .formatted(250 * (1 + random.nextInt(3)), 256 * (1 + random.nextInt(4)));
    String spec = "priority: %d".formatted(random.nextInt(3));
    return scene.pod(name, "app: " + app, requests, more.isEmpty() ? spec : spec + ", " + more);
  }
}
