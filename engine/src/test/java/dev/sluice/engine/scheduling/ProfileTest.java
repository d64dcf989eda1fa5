package dev.sluice.engine.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.scheduling.Profile.AddedAffinity;
import dev.sluice.engine.scheduling.Profile.AffinityRules;
import dev.sluice.engine.scheduling.Profile.FitRules;
import dev.sluice.engine.scheduling.Profile.PreemptionRules;
import dev.sluice.engine.scheduling.Profile.SpreadRules;
import dev.sluice.engine.scheduling.ResourceScoring.Strategy;
import dev.sluice.model.core.PodSpec;
import dev.sluice.model.core.SpreadConstraint;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What a profile changes about the way its pods are scheduled. */
class ProfileTest {
  private static final Profile DEFAULT = Profile.DEFAULT;
  private static final String NODE = "cpu: 4, memory: 8Gi";

  private static Profile with(
      SortedSet<Plugin> filters, SortedMap<Plugin, Integer> weights, PreemptionRules preemption) {
    return new Profile(
        DEFAULT.names(),
        0,
        filters,
        weights,
        DEFAULT.fit(),
        DEFAULT.balanced(),
        DEFAULT.spread(),
        DEFAULT.added(),
        DEFAULT.affinity(),
        preemption);
  }

  private static Profile with(
      FitRules fit, SpreadRules spread, AddedAffinity added, AffinityRules affinity) {
    return new Profile(
        DEFAULT.names(),
        0,
        DEFAULT.filters(),
        DEFAULT.weights(),
        fit,
        DEFAULT.balanced(),
        spread,
        added,
        affinity,
        DEFAULT.preemption());
  }

  private static Profile without(Plugin filter) {
    var filters = new TreeSet<>(Profile.FILTERS);
    filters.remove(filter);
    return with(filters, DEFAULT.weights(), DEFAULT.preemption());
  }

  private static Profile weighing(Plugin plugin, int weight) {
    var weights = new TreeMap<>(Profile.WEIGHTS);
    weights.put(plugin, weight);
    return with(DEFAULT.filters(), weights, DEFAULT.preemption());
  }

  private static Profile fitting(FitRules fit) {
    return with(fit, DEFAULT.spread(), DEFAULT.added(), DEFAULT.affinity());
  }

  private static Profile spreading(String... constraints) {
    var rules =
        List.of(constraints).stream()
            .map(text -> (Tree) Yaml.parseAll("{%s}".formatted(text)).getFirst())
            .toList();
    List<SpreadConstraint> read =
        new PodSpec(Tree.of("topologySpreadConstraints", rules)).spreadConstraints();
    return with(DEFAULT.fit(), new SpreadRules(false, read), DEFAULT.added(), DEFAULT.affinity());
  }

  private static Profile adding(String nodeAffinity) {
    Tree affinity = (Tree) Yaml.parseAll("{%s}".formatted(nodeAffinity)).getFirst();
    var spec = new PodSpec(Tree.of("affinity", Tree.of("nodeAffinity", affinity)));
    return with(
        DEFAULT.fit(),
        DEFAULT.spread(),
        new AddedAffinity(spec.nodeAffinity(), spec.preferredNodeTerms()),
        DEFAULT.affinity());
  }

  private static Profile inCompany(int requiredWeight, boolean ignoresOthers) {
    return with(
        DEFAULT.fit(),
        DEFAULT.spread(),
        DEFAULT.added(),
        new AffinityRules(requiredWeight, ignoresOthers));
  }

  /** A node that a filter refuses, unless the profile does without the filter. */
  record Refusal(Plugin filter, String nodeSpec, String podSpec) {
    @Override
    public String toString() {
      return filter.word();
    }
  }

  private static final String PORT =
      "initContainers: [{name: i, restartPolicy: Always, ports: [{hostPort: 80}]}]";
  private static final String DISK = "volumes: [{name: v, gcePersistentDisk: {pdName: d}}]";

  static final List<Refusal> REFUSALS =
      List.of(
          new Refusal(Plugin.NODE_UNSCHEDULABLE, "unschedulable: true", ""),
          new Refusal(Plugin.TAINT_TOLERATION, "taints: [{key: k, effect: NoSchedule}]", ""),
          new Refusal(Plugin.NODE_AFFINITY, "", "nodeSelector: {zone: elsewhere}"),
          new Refusal(Plugin.NODE_PORTS, "", PORT),
          new Refusal(Plugin.NODE_RESOURCES_FIT, "", "overhead: {cpu: 9}"),
          new Refusal(Plugin.VOLUME_RESTRICTIONS, "", DISK),
          new Refusal(
              Plugin.POD_TOPOLOGY_SPREAD,
              "",
              "topologySpreadConstraints: [{maxSkew: 1, topologyKey: rack, whenUnsatisfiable:"
                  + " DoNotSchedule, labelSelector: {matchLabels: {app: p}}}]"),
          new Refusal(
              Plugin.INTER_POD_AFFINITY,
              "",
              "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                  + " [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app:"
                  + " old}}}]}}"));

  @ParameterizedTest
  @FieldSource("REFUSALS")
  void aFilterThatIsSwitchedOffRefusesNothing(Refusal refusal) {
    for (Profile profile : List.of(DEFAULT, without(refusal.filter()))) {
      var scene = new Scene(profile).node("n", NODE, "zone: a", refusal.nodeSpec());
      scene.on("n", scene.pod("old", "cpu: 1", PORT + ", " + DISK));

      String want = profile.filters().contains(refusal.filter()) ? "0/1 nodes" : "n";
      assertThat(scene.place(scene.pod("p", "cpu: 1", refusal.podSpec()))).startsWith(want);
    }
  }

  @Test
  void aWeightDecidesWhichScoreWins() {
    String wish =
        "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1,"
            + " preference: {matchExpressions: [{key: disk, operator: Exists}]}}]}}";
    for (int weight : List.of(2, 100)) {
      var scene =
          new Scene(weighing(Plugin.NODE_RESOURCES_FIT, weight))
              .node("full", NODE, "disk: ssd", "")
              .node("empty", NODE);
      scene.on("full", scene.pod("old", "cpu: 3, memory: 6Gi"));

      // the wish is worth 200, and the room of the other node 75 times the weight
      assertThat(scene.place(scene.pod("p", "cpu: 1, memory: 2Gi", wish)))
          .isEqualTo(weight == 2 ? "full" : "empty");
    }
  }

  @Test
  void mostAllocatedFillsOneNodeAfterTheOther() {
    var most =
        new ResourceScoring(Strategy.MOST_ALLOCATED, ResourceScoring.USUAL_RESOURCES, List.of());
    var scene =
        new Scene(fitting(new FitRules(most, new TreeSet<>(), new TreeSet<>())))
            .node("a", NODE)
            .node("b", NODE);
    scene.on("b", scene.pod("old", "cpu: 1, memory: 2Gi"));

    assertThat(scene.place(scene.pod("p1", "cpu: 1, memory: 2Gi"))).isEqualTo("b");
    assertThat(scene.place(scene.pod("p2", "cpu: 1, memory: 2Gi"))).isEqualTo("b");
  }

  @Test
  void ignoredResourcesNeedNotBeThere() {
    var rules =
        new FitRules(
            ResourceScoring.DEFAULT,
            new TreeSet<>(List.of("x.io/gpu", "hugepages-2Mi")),
            new TreeSet<>(List.of("y.io")));
    var scene = new Scene(fitting(rules)).node("n", NODE);

    assertThat(scene.place(scene.pod("a", "cpu: 1, x.io/gpu: 1, y.io/fpga: 1"))).isEqualTo("n");
    assertThat(scene.place(scene.pod("b", "cpu: 1, x.io/tpu: 1")))
        .startsWith("0/1 nodes are available: 1 Insufficient x.io/tpu.");
    assertThat(scene.place(scene.pod("c", "cpu: 1, hugepages-2Mi: 2Mi")))
        .as("only extended resources can be ignored")
        .startsWith("0/1 nodes are available: 1 Insufficient hugepages-2Mi.");
  }

  @Test
  void addedAffinityHoldsForAllPods() {
    var required =
        adding(
            "requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms:"
                + " [{matchExpressions: [{key: pool, operator: In, values: [batch]}]}]}");
    var scene = new Scene(required).node("a", NODE).node("b", "cpu: 1", "pool: batch", "");

    assertThat(scene.place(scene.pod("p", "cpu: 1"))).isEqualTo("b");
    assertThat(scene.place(scene.pod("q", "cpu: 1")))
        .startsWith(
            "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match"
                + " scheduler-enforced node affinity.");

    var preferred =
        adding(
            "preferredDuringSchedulingIgnoredDuringExecution: [{weight: 5, preference:"
                + " {matchExpressions: [{key: pool, operator: Exists}]}}]");
    scene = new Scene(preferred).node("a", NODE).node("b", NODE, "pool: batch", "");
    assertThat(scene.place(scene.pod("p", "cpu: 1"))).isEqualTo("b");
  }

  @Test
  void podsOfAServiceAreSpreadAsTheListSays() {
    var scene =
        new Scene(spreading("maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule"))
            .node("a", NODE, "zone: a", "")
            .node("b", "cpu: 1", "zone: b", "");
    scene.service("s", "app: p");

    assertThat(scene.place(scene.pod("p1", "cpu: 1"))).isEqualTo("a");
    assertThat(scene.place(scene.pod("p2", "cpu: 1"))).isEqualTo("b");
    assertThat(scene.place(scene.pod("p3", "cpu: 1"))).isEqualTo("a");
    assertThat(scene.place(scene.pod("p4", "cpu: 1")))
        .startsWith(
            "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match pod topology"
                + " spread constraints.");
    assertThat(scene.place(scene.pod("other", "cpu: 1"))).as("nobody's pod").isEqualTo("a");
  }

  @Test
  void wishesOfTheListLeaveOutNodesWithoutTheLabel() {
    String rule = "maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway";
    var scene = new Scene(spreading(rule)).node("bare", NODE).node("a", NODE, "zone: a", "");
    scene.service("s", "app: p");

    Map<String, Long> scores = scene.scheduler.scores(scene.pod("p", "cpu: 1"));
    assertThat(difference(scores, "a", "bare")).isEqualTo(200);
  }

  @Test
  void whatOthersRequireCountsAsMuchAsTheProfileSays() {
    String near =
        "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey:"
            + " kubernetes.io/hostname, labelSelector: {matchLabels: {app: p}}}],"
            + " preferredDuringSchedulingIgnoredDuringExecution: [{weight: 3, podAffinityTerm:"
            + " {topologyKey: zone, labelSelector: {matchLabels: {app: p}}}}]}}";
    for (int weight : List.of(0, 3, 100)) {
      var scene =
          new Scene(inCompany(weight, false))
              .node("alone", NODE, "zone: b", "")
              .node("same-zone", NODE, "zone: a", "")
              .node("same-node", NODE, "zone: a", "");
      scene.on("same-node", scene.pod("old", "", near));

      var scores = scene.scheduler.scores(scene.pod("p", ""));
      // 3 for the zone, and the weight for the node itself: 100 * 3 / (3 + weight), doubled
      long zone = 100L * 3 / (3 + weight);
      assertThat(difference(scores, "same-zone", "alone")).isEqualTo(2 * zone);
    }
  }

  private static long difference(Map<String, Long> scores, String one, String other) {
    return scores.getOrDefault(one, 0L) - scores.getOrDefault(other, 0L);
  }

  @Test
  void podsWithoutWishesMayIgnoreThoseOfOthers() {
    String near =
        "affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 9,"
            + " podAffinityTerm: {topologyKey: zone, labelSelector: {matchLabels: {app: p}}}}]}}";
    for (boolean ignores : List.of(false, true)) {
      var scene =
          new Scene(inCompany(1, ignores))
              .node("a", NODE, "zone: a", "")
              .node("b", NODE, "zone: b", "");
      scene.on("b", scene.pod("old", "", near));

      assertThat(scene.place(scene.pod("p", ""))).isEqualTo(ignores ? "a" : "b");
    }
  }

  @Test
  void whereNobodyHasToLeaveThePodIsToldOnlyWhyItDoesNotFit() {
    var peaceful = with(DEFAULT.filters(), DEFAULT.weights(), new PreemptionRules(false, 10, 100));
    var scene = new Scene(peaceful).node("n", NODE);
    scene.on("n", scene.pod("low", "cpu: 4"));

    assertThat(scene.place(scene.pod("high", "cpu: 4", "priority: 9")))
        .isEqualTo("0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate");
  }

  @Test
  void soManyNodesAreEnoughForVictims() {
    assertThat(new PreemptionRules(true, 50, 10).enough(1000)).isEqualTo(500);
    assertThat(new PreemptionRules(true, 0, 10).enough(1000)).isEqualTo(10);
    assertThat(new PreemptionRules(true, 100, 0).enough(7)).isEqualTo(7);
    assertThat(new PreemptionRules(true, 100, Integer.MAX_VALUE).enough(Integer.MAX_VALUE))
        .isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void aPodIsScheduledAndWokenByTheProfileItAsksFor() {
    var scene = new Scene();
    var schedulers =
        new Schedulers(
            scene.state,
            new DisruptionBudgets(),
            bound -> 0,
            List.of(DEFAULT.named("strict"), without(Plugin.NODE_RESOURCES_FIT).named("loose")));

    assertThat(schedulers.know("strict")).isTrue();
    assertThat(schedulers.know("default-scheduler")).isFalse();
    PodFacts strict = scene.pod("s", "cpu: 9", "schedulerName: strict");
    PodFacts loose = scene.pod("l", "cpu: 9", "schedulerName: loose");
    assertThat(schedulers.get(schedulers.number(strict)).profile().name()).isEqualTo("strict");
    assertThat(schedulers.get(schedulers.number(loose)).profile().name()).isEqualTo("loose");
    assertThat(strict.shape()).isNotEqualTo(loose.shape());

    var queue = new SchedulingQueue(scene.state, schedulers, Backoff.DEFAULT);
    Instant now = Instant.EPOCH;
    var refused = new TreeSet<>(List.of(Plugin.NODE_RESOURCES_FIT));
    for (PodFacts pod : List.of(strict, loose)) {
      queue.add(pod, now);
      queue.rejected(queue.pop(now).orElseThrow(), refused, now);
    }
    assertThat(queue.refused().keySet()).containsExactly("loose", "strict");
    scene.node("n", NODE);
    queue.nodeChanged("n", now);

    assertThat(queue.size(QueuePart.UNSCHEDULABLE)).as("only the loose one fits").isEqualTo(1);
    assertThat(queue.arrivals())
        .containsEntry(new Arrivals.Way(QueuePart.ACTIVE, Arrivals.Cause.POD_ADDED), 2L)
        .containsEntry(new Arrivals.Way(QueuePart.UNSCHEDULABLE, Arrivals.Cause.ATTEMPT_FAILED), 2L)
        .containsEntry(new Arrivals.Way(QueuePart.BACKOFF, Arrivals.Cause.NODE_CHANGED), 1L);
  }

  @Test
  void pausesAreAsLongAsConfigured() {
    var backoff = new Backoff(Duration.ofSeconds(3), Duration.ofSeconds(20));

    assertThat(List.of(1, 2, 3, 4, 100))
        .map(failures -> backoff.end(Instant.EPOCH, failures).getEpochSecond())
        .containsExactly(3L, 6L, 12L, 20L, 20L);
  }
}
