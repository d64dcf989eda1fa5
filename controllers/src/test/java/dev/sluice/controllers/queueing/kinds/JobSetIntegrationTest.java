package dev.sluice.controllers.queueing.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.core.pod.PodTemplate;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.testkit.Worlds;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class JobSetIntegrationTest {
  private static final ApiObject SET =
      Worlds.yaml(
          """
          apiVersion: jobset.x-k8s.io/v1alpha2
          kind: JobSet
          metadata: {name: s, namespace: default}
          spec:
            suspend: true
            replicatedJobs:
            - name: Leader
              template: {spec: {template: {spec: {containers: [{name: l}]}}}}
            - name: workers
              replicas: 3
              template: {spec: {parallelism: 4, completions: 2, template: {spec: {containers: [{name: w}]}}}}
          """);

  private final JobSetIntegration sets = new JobSetIntegration();

  @Test
  void hasAPodSetForEachReplicatedJob() {
    List<PodSet> podSets = sets.podSets(SET);

    assertThat(podSets).extracting(PodSet::name).containsExactly("leader", "workers");
    assertThat(podSets).extracting(PodSet::count).containsExactly(1, 6);
    assertThat(podSets.getLast().template().tree().trees("spec", "containers"))
        .containsExactly(Tree.of("name", "w"));
  }

  @Test
  void startsWithTheTemplatesOfItsPodSets() {
    List<PodSet> placed =
        sets.podSets(SET).stream()
            .map(podSet -> podSet.withTemplate(onZone(podSet.template(), podSet.name())))
            .toList();

    ApiObject started = sets.withSuspended(sets.withPodSets(SET, placed), false);

    assertThat(sets.suspended(started)).isFalse();
    assertThat(sets.podSets(started)).isEqualTo(placed);
    assertThat(sets.withPodSets(started, sets.podSets(SET)).spec().at("replicatedJobs"))
        .isEqualTo(SET.spec().at("replicatedJobs"));
  }

  private static PodTemplate onZone(PodTemplate template, String zone) {
    return template.selectingNodes(Map.of("zone", zone));
  }

  record Case(
      String name, String status, boolean active, boolean ready, Map<String, Integer> free) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("no status yet", "{}", false, false, Map.of()),
          new Case(
              "some are ready",
              "replicatedJobsStatus: [{name: Leader, ready: 1, active: 1}, {name: workers, ready: 2}]",
              true,
              false,
              Map.of()),
          new Case(
              "all are ready or have succeeded",
              "replicatedJobsStatus: [{name: Leader, ready: 1}, {name: workers, ready: 2, succeeded: 1}]",
              false,
              true,
              Map.of("workers", 2)),
          new Case(
              "more than there are",
              "replicatedJobsStatus: [{name: workers, succeeded: 4}]",
              false,
              true,
              Map.of()));

  @ParameterizedTest
  @FieldSource("CASES")
  void readsTheStatus(Case c) {
    ApiObject set = SET.withStatus(Yaml.parseAll(c.status()).getFirst().asTree());

    assertThat(sets.active(set)).isEqualTo(c.active());
    assertThat(sets.podsReady(set)).isEqualTo(c.ready());
    assertThat(sets.reclaimablePods(set)).isEqualTo(c.free());
  }

  @Test
  void endsWithTheMessageOfItsCondition() {
    ApiObject failed =
        SET.withStatus(
            Yaml.parseAll("conditions: [{type: Failed, status: 'True', message: too bad}]")
                .getFirst()
                .asTree());

    assertThat(sets.finish(SET)).isEmpty();
    assertThat(sets.finish(failed).orElseThrow().succeeded()).isFalse();
    assertThat(sets.finish(failed).orElseThrow().message()).isEqualTo("too bad");
  }
}
