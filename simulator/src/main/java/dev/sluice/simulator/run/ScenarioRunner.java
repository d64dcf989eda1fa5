package dev.sluice.simulator.run;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import dev.sluice.simulator.UnknownKindException;
import dev.sluice.simulator.VirtualWorld;
import dev.sluice.simulator.scenario.Scenario;
import dev.sluice.simulator.scenario.ScenarioStep;
import java.util.ArrayList;
import java.util.List;

/**
 * The runner of a scenario: it does each step at its time. If the API rejects a step at the start,
 * that is thrown as a {@link RefusedStep}; a later rejection is noted, as a user would see it, and
 * the rest goes on.
 */
public final class ScenarioRunner {
  private final VirtualWorld world;
  private final Cluster cluster;
  private final List<String> refusals = new ArrayList<>();

  public ScenarioRunner(VirtualWorld world) {
    this.world = world;
    this.cluster = world.cluster();
  }

  /** Does the steps of the start, and schedules the others. */
  public void set(Scenario scenario) {
    requireKnownKinds(scenario);
    for (int number = 0; number < scenario.steps().size(); number++) {
      ScenarioStep step = scenario.steps().get(number);
      if (step.at().isZero()) {
        playFirst(step, scenario.documents().get(number));
      } else {
        cluster.time().after(step.at(), () -> playLater(step));
      }
    }
  }

  /** A kind that is only known once the scenario has defined it is looked up when it is needed. */
  private void requireKnownKinds(Scenario scenario) {
    boolean defines =
        scenario.steps().stream()
            .anyMatch(step -> step.object().isA(Kinds.CUSTOM_RESOURCE_DEFINITION));
    for (int number = 0; !defines && number < scenario.steps().size(); number++) {
      try {
        world.kind(scenario.steps().get(number).object());
      } catch (UnknownKindException unknown) {
        throw new RefusedStep(
            scenario.documents().get(number), String.valueOf(unknown.getMessage()));
      }
    }
  }

  private void playFirst(ScenarioStep step, int document) {
    try {
      play(step);
    } catch (ApiException | UnknownKindException refused) {
      throw new RefusedStep(document, step.object().kind() + " " + refused.getMessage());
    }
  }

  private void playLater(ScenarioStep step) {
    try {
      play(step);
    } catch (ApiException refused) {
      refusals.add(step + ": " + refused.getMessage());
    }
  }

  /** Does one step now. */
  public void play(ScenarioStep step) {
    switch (step.deed()) {
      case CREATE -> world.create(step.object());
      case UPDATE -> update(step.object());
      case DELETE -> {
        ResourceKind kind = world.kind(step.object());
        cluster.delete(kind, find(kind, step.object()), Deletion.BACKGROUND);
      }
      case RESTORE ->
          world.restore(
              step.object().withoutAnnotation(ScenarioStep.TAKEN),
              step.taken().orElse(VirtualWorld.START));
    }
  }

  private void update(ApiObject change) {
    ResourceKind kind = world.kind(change);
    ApiObject now = find(kind, change);
    Tree fields = change.without(List.of("metadata", "annotations", ScenarioStep.OF)).tree();
    Tree changed = MergePatch.apply(now.tree(), fields.without("status"));
    if (!changed.equals(now.tree())) {
      now = cluster.update(kind, new ApiObject(changed));
    }
    if (fields.has("status")) {
      Tree status = MergePatch.apply(now.status(), fields.tree("status"));
      cluster.patchStatus(kind, now, status);
    }
  }

  private ApiObject find(ResourceKind kind, ApiObject sought) {
    String namespace = sought.namespace().isEmpty() ? "default" : sought.namespace();
    ObjectKey key =
        kind.namespaced() ? kind.key(namespace, sought.name()) : kind.key(sought.name());
    if (sought.name().isEmpty() && kind.equals(Kinds.WORKLOAD)) {
      String job = sought.annotation(ScenarioStep.OF);
      return cluster.list(kind, namespace).stream()
          .filter(one -> one.owners().stream().anyMatch(owner -> owner.name().equals(job)))
          .findFirst()
          .orElseThrow(() -> ApiFailure.notFound(Kinds.JOB.key(namespace, job)));
    }
    return cluster.get(key).orElseThrow(() -> ApiFailure.notFound(key));
  }

  /** The steps that were rejected so far, in words for people. */
  public List<String> refusals() {
    return List.copyOf(refusals);
  }
}
