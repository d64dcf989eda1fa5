package dev.sluice.controllers.queueing.rules;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;

/** The rules for the pod sets of workloads, which are immutable while quota is reserved. */
record PodSetRules(Configuration configuration) {
  private static final String FIELD = "spec.podSets";

  /**
   * Defaults: a single pod set needs no name, and a minimum count exists only with partial
   * admission.
   */
  ApiObject withDefaults(ApiObject workload) {
    List<PodSet> podSets = new Workload(workload).podSets();
    if (podSets.isEmpty()) {
      return workload;
    }
    boolean single = podSets.size() == 1;
    List<PodSet> withDefaults =
        podSets.stream().map(podSet -> withDefaults(podSet, single)).toList();
    return new Workload(workload).withPodSets(withDefaults).object();
  }

  private PodSet withDefaults(PodSet podSet, boolean single) {
    Tree tree = podSet.tree();
    if (single && tree.text("name").isEmpty()) {
      tree = tree.with("name", PodSet.MAIN);
    }
    return new PodSet(configuration.has(Gate.PARTIAL_ADMISSION) ? tree : tree.without("minCount"));
  }

  void check(ApiObject workload, ValidationErrors problems) {
    List<PodSet> podSets = new Workload(workload).podSets();
    boolean elastic = isElastic(workload);
    int variable = 0;
    for (int i = 0; i < podSets.size(); i++) {
      String at = FIELD + "[" + i + "]";
      checkTemplate(at + ".template", podSets.get(i).template().tree(), problems);
      boolean partial = podSets.get(i).minCount().isPresent();
      variable += partial ? 1 : 0;
      if (partial && elastic) {
        problems.forbidden(at + ".minCount", "an elastic job starts with all its pods");
      }
    }
    if (variable > 1) {
      problems.invalid(FIELD, variable, "at most one pod set can have a minCount");
    }
  }

  /** The warnings about fields that have no effect. */
  static List<String> warnings(ApiObject workload) {
    var warnings = new ArrayList<String>();
    List<PodSet> podSets = new Workload(workload).podSets();
    for (int i = 0; i < podSets.size(); i++) {
      String at = FIELD + "[" + i + "].topologyRequest";
      Tree request = podSets.get(i).tree().tree("topologyRequest");
      long groups = request.whole("subGroupCount").orElse(0);
      if (groups < 0) {
        warnings.add(
            at + ".subGroupCount: " + groups + " is below zero, and so counts for nothing");
      }
      if (request.has("preferred")) {
        warnings.add(
            at + ".preferred: has no effect: topology-aware scheduling is not part of Sluice yet");
      }
    }
    return warnings;
  }

  private boolean isElastic(ApiObject workload) {
    return configuration.has(Gate.ELASTIC_JOBS)
        && workload.annotation(KueueNames.ELASTIC_JOB).equals("true");
  }

  private static void checkTemplate(String at, Tree template, ValidationErrors problems) {
    problems.labels(at + ".metadata.labels", template.texts("metadata", "labels"));
    MetadataRules.checkAnnotations(
        at + ".metadata.annotations", template.texts("metadata", "annotations"), problems);
    Tree spec = template.tree("spec");
    checkResources(at + ".spec", spec, problems);
    for (String list : List.of("initContainers", "containers")) {
      List<Tree> containers = spec.trees(list);
      for (int i = 0; i < containers.size(); i++) {
        checkResources(at + ".spec." + list + "[" + i + "]", containers.get(i), problems);
      }
    }
  }

  private static void checkResources(String at, Tree owner, ValidationErrors problems) {
    for (String list : List.of("requests", "limits")) {
      QuantityRules.checkResources(
          at + ".resources." + list, owner.tree("resources", list), problems);
    }
  }

  /** Pod sets with reserved quota cannot change, but those of elastic jobs can scale down. */
  void checkReserved(ApiObject before, ApiObject after, ValidationErrors problems) {
    List<PodSet> old = new Workload(before).podSets();
    List<PodSet> now = new Workload(after).podSets();
    if (old.size() != now.size()) {
      problems.immutable(FIELD, before.spec().at("podSets"), after.spec().at("podSets"));
      return;
    }
    for (int i = 0; i < now.size(); i++) {
      boolean shrinks =
          configuration.has(Gate.ELASTIC_JOBS) && now.get(i).count() < old.get(i).count();
      PodSet compared = shrinks ? now.get(i).withCount(old.get(i).count()) : now.get(i);
      problems.immutable(FIELD + "[" + i + "]", old.get(i).tree(), compared.tree());
    }
  }
}
