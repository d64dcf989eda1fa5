package dev.sluice.controllers.nodes;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.nodes.stage.ObjectPatch;
import dev.sluice.controllers.nodes.stage.Stage;
import dev.sluice.controllers.nodes.stage.StageStep;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import java.util.List;

/**
 * Takes an object through a stage: does its steps one after the other. A step that would change
 * nothing is not written.
 *
 * <p>Threads: safe.
 */
final class StagePlayer {
  private final Cluster cluster;
  private final ResourceKind kind;
  private final EventRecorder events;

  StagePlayer(Cluster cluster, ResourceKind kind, EventRecorder events) {
    this.cluster = cluster;
    this.kind = kind;
    this.events = events;
  }

  /**
   * @throws dev.sluice.model.ApiException if the world refuses a step; those before it are done
   * @throws dev.sluice.controllers.nodes.template.TemplateException if a template fails
   */
  void play(ApiObject object, Stage stage) {
    ApiObject current = object;
    boolean there = true;
    for (StageStep step : stage.steps()) {
      switch (step) {
        case StageStep.Announce announce -> announce(current, announce);
        case StageStep.Patch patch -> current = there ? patch(current, patch) : current;
        case StageStep.Finalizers change -> current = there ? change(current, change) : current;
        case StageStep.Delete() -> {
          if (there) {
            cluster.delete(kind, current, Deletion.NOW);
          }
          there = false;
        }
      }
    }
  }

  private void announce(ApiObject object, StageStep.Announce what) {
    if (what.warning()) {
      events.warning(object, what.reason(), what.message());
    } else {
      events.normal(object, what.reason(), what.message());
    }
  }

  private ApiObject patch(ApiObject object, StageStep.Patch patch) {
    Tree changed = ObjectPatch.apply(object.tree(), patch);
    if (patch.status()) {
      Tree status = changed.tree("status");
      return status.equals(object.status()) ? object : cluster.patchStatus(kind, object, status);
    }
    return update(object, new ApiObject(changed.with("status", object.status())));
  }

  private ApiObject change(ApiObject object, StageStep.Finalizers change) {
    ApiObject changed = change.empty() ? object.withoutMetadata("finalizers") : object;
    for (String finalizer : change.remove()) {
      changed = changed.withoutFinalizer(finalizer);
    }
    for (String finalizer : change.add()) {
      changed = changed.withFinalizer(finalizer);
    }
    return update(object, changed);
  }

  private ApiObject update(ApiObject before, ApiObject after) {
    boolean same =
        after.metadata().equals(before.metadata())
            && after.spec().equals(before.spec())
            && List.of(after.kind(), after.apiVersion())
                .equals(List.of(before.kind(), before.apiVersion()));
    return same ? before : cluster.update(kind, after);
  }
}
