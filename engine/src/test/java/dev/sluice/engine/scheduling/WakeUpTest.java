package dev.sluice.engine.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.queue.SchedulingQueue;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Which events wake which pods: those that they may help, and no others. */
class WakeUpTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final String TAINT = "taints: [{key: k, effect: NoSchedule}]";
  private static final String NEAR =
      "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey:"
          + " kubernetes.io/hostname, labelSelector: {matchLabels: {app: friend}}}]}}";
  private static final String EVEN =
      "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable:"
          + " DoNotSchedule, labelSelector: {matchLabels: {app: friend}}}]";

  /** A world with the queue of its pods. */
  private record World(SchedulingScene scene, SchedulingQueue queue) {

    void nodeBecomes(String allocatable, String labels, String spec) {
      scene.node("n", allocatable, labels, spec);
      queue.nodeChanged("n", NOW);
    }

    void leaves(String pod) {
      scene.state.take(scene.pod(pod, "").key()).ifPresent(node -> queue.roomFreed(node, NOW));
    }

    void comes(String pod) {
      PodFacts facts = scene.pod(pod, "");
      scene.on("n", facts);
      queue.podCame(facts, NOW);
    }
  }

  /**
   * A pod of priority 5 that one filter refused, while a node of 4 cpus has two pods of 2 cpus: one
   * of priority 9, one of priority 1.
   */
  record Case(
      String name, Plugin by, String requests, String spec, Consumer<World> event, boolean wakes) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Case fit(
      String name, String requests, String spec, Consumer<World> event, boolean wakes) {
    return new Case(name, Plugin.NODE_RESOURCES_FIT, requests, spec, event, wakes);
  }

  static final List<Case> CASES =
      List.of(
          fit("a pod leaves room enough", "cpu: 2", "", world -> world.leaves("high"), true),
          fit(
              "the less important could leave the rest of the room",
              "cpu: 4",
              "",
              world -> world.leaves("high"),
              true),
          fit(
              "it pushes nobody away",
              "cpu: 4",
              "preemptionPolicy: Never",
              world -> world.leaves("high"),
              false),
          fit(
              "only more important ones are left",
              "cpu: 4",
              "",
              world -> world.leaves("low"),
              false),
          fit("larger than the node", "cpu: 5", "", world -> world.leaves("high"), false),
          fit(
              "the node grows",
              "cpu: 4",
              "",
              world -> world.nodeBecomes("cpu: 8", "zone: z", ""),
              true),
          fit(
              "the node grows too little",
              "cpu: 9",
              "",
              world -> world.nodeBecomes("cpu: 8", "zone: z", ""),
              false),
          fit(
              "the node is cordoned",
              "cpu: 2",
              "",
              world -> world.nodeBecomes("cpu: 8", "", "unschedulable: true"),
              false),
          fit(
              "the node goes",
              "cpu: 2",
              "",
              world -> {
                world.scene().state.removeNode("n");
                world.queue().nodeChanged("n", NOW);
              },
              false),
          fit("a pod comes", "cpu: 4", "", world -> world.comes("friend"), false),
          fit(
              "a volume comes",
              "cpu: 4",
              "",
              world -> world.queue().wakeRefusedBy(List.of(Plugin.VOLUME_BINDING), NOW),
              false),
          new Case(
              "a taint goes",
              Plugin.TAINT_TOLERATION,
              "",
              "",
              world -> world.nodeBecomes("cpu: 4", "zone: z", ""),
              true),
          new Case(
              "the taint stays",
              Plugin.TAINT_TOLERATION,
              "",
              "",
              world -> world.nodeBecomes("cpu: 8", "zone: z", TAINT),
              false),
          new Case(
              "a label comes",
              Plugin.NODE_AFFINITY,
              "",
              "nodeSelector: {disk: ssd}",
              world -> world.nodeBecomes("cpu: 4", "disk: ssd", ""),
              true),
          new Case(
              "another label comes",
              Plugin.NODE_AFFINITY,
              "",
              "nodeSelector: {disk: ssd}",
              world -> world.nodeBecomes("cpu: 4", "disk: hdd", ""),
              false),
          new Case(
              "the pod it wants comes",
              Plugin.INTER_POD_AFFINITY,
              "",
              NEAR,
              world -> world.comes("friend"),
              true),
          new Case(
              "a stranger comes",
              Plugin.INTER_POD_AFFINITY,
              "",
              NEAR,
              world -> world.comes("stranger"),
              false),
          new Case(
              "one that it kept away from may have left",
              Plugin.INTER_POD_AFFINITY,
              "",
              "",
              world -> world.leaves("low"),
              true),
          new Case(
              "a pod evens the domains out",
              Plugin.POD_TOPOLOGY_SPREAD,
              "",
              EVEN,
              world -> world.comes("friend"),
              true),
          new Case(
              "a pod comes that does not count",
              Plugin.POD_TOPOLOGY_SPREAD,
              "",
              EVEN,
              world -> world.comes("stranger"),
              false),
          new Case(
              "a domain goes",
              Plugin.POD_TOPOLOGY_SPREAD,
              "",
              EVEN,
              world -> {
                world.scene().state.removeNode("n");
                world.queue().nodeChanged("n", NOW);
              },
              true),
          new Case(
              "its volume comes",
              Plugin.VOLUME_BINDING,
              "",
              "",
              world -> world.queue().wakeRefusedBy(List.of(Plugin.VOLUME_BINDING), NOW),
              true),
          new Case(
              "a pod leaves, but it waits for a volume",
              Plugin.VOLUME_BINDING,
              "",
              "",
              world -> world.leaves("high"),
              false),
          new Case(
              "the node may reach its volume now, but is full",
              Plugin.VOLUME_BINDING,
              "cpu: 4",
              "",
              world -> world.nodeBecomes("cpu: 4", "zone: other", ""),
              true),
          new Case(
              "who used its volume leaves a node that is gone",
              Plugin.VOLUME_RESTRICTIONS,
              "",
              "",
              world -> {
                world.scene().state.removeNode("n");
                world.leaves("high");
              },
              true),
          fit(
              "a pod leaves a node that is gone",
              "cpu: 1",
              "",
              world -> {
                world.scene().state.removeNode("n");
                world.leaves("high");
              },
              false),
          new Case(
              "a pod leaves and with it a volume",
              Plugin.NODE_VOLUME_LIMITS,
              "",
              "",
              world -> world.leaves("high"),
              true));

  @ParameterizedTest
  @FieldSource("CASES")
  void wakes(Case c) {
    var scene = new SchedulingScene();
    boolean tainted = c.by().equals(Plugin.TAINT_TOLERATION);
    scene.node("n", "cpu: 4", "zone: z", tainted ? TAINT : "");
    scene.on("n", scene.pod("high", "cpu: 2", "priority: 9"));
    scene.on("n", scene.pod("low", "cpu: 2", "priority: 1"));
    var queue = new SchedulingQueue(scene.state);
    String spec = c.spec().isEmpty() ? "priority: 5" : "priority: 5, " + c.spec();
    queue.add(scene.pod("waiting", c.requests(), spec), NOW);
    queue.rejected(queue.pop(NOW).orElseThrow(), new TreeSet<>(List.of(c.by())), NOW);

    c.event().accept(new World(scene, queue));

    assertThat(queue.pop(NOW).isPresent()).isEqualTo(c.wakes());
  }
}
