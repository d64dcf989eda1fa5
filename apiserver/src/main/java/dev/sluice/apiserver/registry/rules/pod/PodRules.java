package dev.sluice.apiserver.registry.rules.pod;

import dev.sluice.apiserver.registry.rules.Edits;
import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Timestamps;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The rules of Pods: they start as Pending, few of their fields are mutable, and their deletion is
 * graceful.
 */
public final class PodRules implements KindRules {
  private static final Set<String> FINISHED = Set.of("Succeeded", "Failed");

  @Override
  public Tree validated(ApiObject pod) {
    return pod.spec();
  }

  @Override
  public ApiObject withDefaults(ApiObject pod) {
    return pod.withSpec(PodDefaults.pod(pod.spec()));
  }

  @Override
  public ApiObject onCreate(ApiObject pod, Instant now) {
    Tree status = Tree.of("phase", "Pending", "qosClass", QualityOfService.of(pod.spec()));
    if (!pod.spec().trees("schedulingGates").isEmpty()) {
      status =
          new Condition(
                  PodStatus.POD_SCHEDULED,
                  false,
                  "SchedulingGated",
                  "Scheduling is blocked due to non-empty scheduling gates")
              .in(status, now);
    }
    return withGrace(pod).withStatus(status);
  }

  /** A negative grace period becomes the minimum. */
  private static ApiObject withGrace(ApiObject pod) {
    boolean negative = pod.spec().whole("terminationGracePeriodSeconds").orElse(0) < 0;
    return negative ? pod.with(List.of("spec", "terminationGracePeriodSeconds"), 1) : pod;
  }

  /** Keeps the fields that the server computed if an update omits them. */
  @Override
  public ApiObject onUpdate(ApiObject before, ApiObject after, Instant now) {
    Tree spec = after.spec();
    for (String field : List.of("priority", "preemptionPolicy")) {
      spec = before.spec().has(field) ? Edits.orElse(spec, field, before.spec().at(field)) : spec;
    }
    return after.withSpec(spec);
  }

  @Override
  public ApiObject onStatus(ApiObject before, ApiObject after) {
    Tree metadata = Edits.asIn(before.metadata(), after.metadata(), "ownerReferences");
    Tree status = after.status();
    if (before.status().has("qosClass")) {
      status = Edits.orElse(status, "qosClass", before.status().at("qosClass"));
    }
    if (before.status().has("observedGeneration")) {
      status = Edits.orElse(status, "observedGeneration", before.status().at("observedGeneration"));
    }
    return after.with(List.of("metadata"), metadata).withStatus(status);
  }

  @Override
  public void check(ApiObject pod, ValidationErrors problems) {
    PodValidation.check("spec", pod.spec(), problems);
    if (pod.spec().has("nodeName") && !pod.spec().items("schedulingGates").isEmpty()) {
      problems.forbidden(
          "spec.nodeName", "cannot be set until all schedulingGates have been cleared");
    }
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after, ValidationErrors problems) {
    PodUpdates.check(before.spec(), after.spec(), problems);
  }

  @Override
  public List<String> warnings(ApiObject pod) {
    var warnings = new ArrayList<String>();
    PodWarnings.ofName(pod.name(), "the Pod's hostname").ifPresent(warnings::add);
    warnings.addAll(PodWarnings.of("", pod.tree()));
    return warnings;
  }

  /** None: pods are updated by programs, which do not read warnings. */
  @Override
  public List<String> updateWarnings(ApiObject before, ApiObject after) {
    return List.of();
  }

  @Override
  public long graceSeconds(ApiObject pod, OptionalLong requested) {
    boolean nothingRuns =
        pod.spec().text("nodeName").isEmpty() || FINISHED.contains(pod.status().text("phase"));
    if (nothingRuns) {
      return 0;
    }
    long asked =
        requested.orElseGet(() -> pod.spec().whole("terminationGracePeriodSeconds").orElse(0));
    return asked < 0 ? 1 : asked;
  }

  @Override
  public boolean marksBeforeRemoval() {
    return true;
  }

  /**
   * The pod after its binding to a node.
   *
   * @param metadata the metadata of the Binding, whose labels and annotations are added to the pod
   */
  public static ApiObject bound(ApiObject pod, String node, Tree metadata, Instant now) {
    ApiObject bound =
        pod.with(List.of("spec", "nodeName"), node)
            .withStatus(scheduled(pod.status(), now).without("nominatedNodeName"));
    for (String field : List.of("annotations", "labels")) {
      Tree given = metadata.tree(field);
      for (String name : given.names()) {
        bound = bound.with(List.of("metadata", field, name), given.at(name));
      }
    }
    return bound;
  }

  /** The condition PodScheduled in place of the earlier one, without its observed generation. */
  private static Tree scheduled(Tree status, Instant now) {
    Tree scheduled =
        Tree.of("type", PodStatus.POD_SCHEDULED)
            .with("status", "True")
            .with("lastTransitionTime", Timestamps.format(now));
    var conditions = new ArrayList<Tree>(status.trees("conditions"));
    Optional<Tree> before = Condition.find(status, PodStatus.POD_SCHEDULED);
    if (before.isPresent()) {
      conditions.set(conditions.indexOf(before.get()), scheduled);
    } else {
      conditions.add(scheduled);
    }
    return status.with("conditions", Items.of(conditions));
  }
}
