package dev.sluice.controllers.queueing.importing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.WorkloadNames;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * The problems that keep pods from being imported; a check finds all of them and writes nothing.
 */
class PodCheckTest {
  private static final UnaryOperator<ApiObject> PLAIN = UnaryOperator.identity();

  private final ImportWorld world = new ImportWorld();

  record Case(String name, Consumer<ImportWorld> given, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Case pod(String name, UnaryOperator<ApiObject> change, String want) {
    return new Case(name, world -> world.pod("p", change), want);
  }

  /** A pod that could be imported if the queues were different. */
  private static Case queues(String name, Consumer<ImportWorld> change, String want) {
    return new Case(name, change.andThen(world -> world.pod("p", PLAIN)), want);
  }

  /** A pod with a workload but without the labels, whose workload has changed since. */
  private static Case unlabelled(String name, Consumer<ImportWorld> change, String want) {
    Consumer<ImportWorld> given =
        world -> {
          world.pod("p", PLAIN);
          world.run();
          world.queues.change(
              Kinds.POD.key("default", "p"),
              pod -> pod.with(List.of("metadata", "labels"), Map.of("team", "red")));
        };
    return new Case(name, given.andThen(change), want);
  }

  private static UnaryOperator<ApiObject> requesting(String resource) {
    return pod ->
        pod.with(
            List.of("spec", "containers"),
            List.of(
                Tree.of(
                    "name",
                    "c",
                    "resources",
                    Tree.of("requests", Tree.of("cpu", "1", resource, "1")))));
  }

  private static void onWorkload(ImportWorld world, UnaryOperator<ApiObject> change) {
    world.queues.change(world.workloads().getFirst().object().key(Kinds.WORKLOAD), change);
  }

  static final List<Case> PROBLEMS =
      List.of(
          pod("no rule", pod -> pod.withLabel("team", "green"), "no rule says where it goes"),
          pod(
              "another queue",
              pod -> pod.withLabel(KueueNames.QUEUE_NAME, "other"),
              "is in LocalQueue other already; the rules say lq"),
          pod(
              "a group",
              pod -> pod.withLabel(KueueNames.POD_GROUP, "g"),
              "belongs to pod group g; import takes single pods"),
          pod(
              "a prebuilt workload",
              pod -> pod.withAnnotation(KueueNames.PREBUILT_WORKLOAD, "w"),
              "names the prebuilt workload w"),
          pod(
              "a class that is not there",
              pod -> pod.with(List.of("spec", "priorityClassName"), "none"),
              "its priority class is missing: priorityclasses.scheduling.k8s.io \"none\" not found"),
          pod(
              "devices",
              pod -> pod.with(List.of("spec", "resourceClaims"), List.of(Map.of("name", "gpu"))),
              "claims devices (gpu), which no quota counts yet"),
          pod(
              "a resource without quota",
              requesting("example.com/gpu"),
              "ClusterQueue cq has no quota for example.com/gpu; add some, or exclude the prefix"),
          queues(
              "no LocalQueue",
              world -> world.queues.delete(Kinds.LOCAL_QUEUE.key("default", "lq")),
              "there is no LocalQueue lq in namespace default"),
          queues(
              "no ClusterQueue",
              world -> world.queues.delete(Kinds.CLUSTER_QUEUE.key("cq")),
              "there is no ClusterQueue cq, to which LocalQueue default/lq belongs"),
          queues(
              "no flavor",
              world -> world.queues.delete(Kinds.RESOURCE_FLAVOR.key("plain")),
              "there is no ResourceFlavor plain, which ClusterQueue cq has"),
          queues(
              "a drained queue",
              world ->
                  world.queues.spec(
                      Kinds.CLUSTER_QUEUE.key("cq"),
                      spec -> spec.with("stopPolicy", "HoldAndDrain")),
              "has the stopPolicy HoldAndDrain"),
          new Case(
              "a workload of another owner",
              world -> {
                Pod pod = world.pod("p", PLAIN);
                world.queues.workload(
                    "default", WorkloadNames.of(Kinds.POD, pod.object()), "lq", 0, 1);
              },
              "has its name and is not its own; delete that"),
          unlabelled(
              "a workload that asks for less",
              world ->
                  onWorkload(
                      world,
                      workload ->
                          workload.with(
                              List.of("spec", "podSets"),
                              List.of(Tree.of("name", "main", "count", 1)))),
              "asks for something else; delete that"),
          unlabelled(
              "a workload of another queue",
              world -> onWorkload(world, one -> one.with(List.of("spec", "queueName"), "other")),
              "is in LocalQueue other; delete that"),
          unlabelled(
              "a workload that was evicted",
              world ->
                  world.queues.status(
                      world.workloads().getFirst().object().key(Kinds.WORKLOAD),
                      (status, now) -> WorkloadTransitions.evict(status, "Preempted", "", "", now)),
              "is evicted or over; delete that"),
          unlabelled(
              "a workload that was switched off",
              world -> onWorkload(world, one -> one.with(List.of("spec", "active"), false)),
              "is evicted or over; delete that"));

  @ParameterizedTest
  @FieldSource("PROBLEMS")
  void problemIsReported(Case c) {
    c.given().accept(world);

    ImportReport report = world.check();

    assertThat(report.lines()).hasSize(1);
    assertThat(report.lines().getFirst()).startsWith("default/p: ").contains(c.want());
    assertThat(report.refused()).isEqualTo(1);
  }

  @Test
  void problemOfManyPodsIsReportedOnce() {
    world.pod("a", requesting("gpu"));
    world.pod("b", requesting("gpu"));
    world.pod("c", PLAIN);

    ImportReport report = world.check();

    assertThat(report.lines()).hasSize(1);
    assertThat(report.lines().getFirst()).startsWith("2 pods, such as default/a: ClusterQueue cq");
    assertThat(report.ready()).isEqualTo(1);
  }

  @Test
  void excludedResourcesNeedNoQuota() {
    world.configuration = Configuration.DEFAULT.excluding(List.of("example.com/"));
    world.pod("p", requesting("example.com/gpu"));

    assertThat(world.run().written()).isEqualTo(1);
    assertThat(
            world
                .workloads()
                .getFirst()
                .admission()
                .orElseThrow()
                .assignments()
                .getFirst()
                .usage()
                .byResource())
        .containsOnlyKeys("cpu");
  }

  record Label(String name, String value, String want) {}

  static final List<Label> LABELS =
      List.of(
          new Label("a b", "c", "the label \"a b\": the name part must consist of"),
          new Label("a", "b c", "a is \"b c\": a label's value must be empty or"),
          new Label(KueueNames.QUEUE_NAME, "lq", "is set by the import itself; leave it out"));

  @ParameterizedTest
  @FieldSource("LABELS")
  void invalidLabelIsRefused(Label c) {
    var labels = new TreeMap<>(Map.of(c.name(), c.value()));

    assertThatThrownBy(() ->
            new ImportTerms(List.of("default"), world.mapping, labels, world.configuration, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(c.want());
  }
}
