package dev.sluice.controllers.nodes;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.nodes.stage.ObjectPatch;
import dev.sluice.controllers.nodes.stage.Stage;
import dev.sluice.controllers.nodes.stage.StageStep;
import dev.sluice.controllers.nodes.template.TemplateException;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import java.util.Optional;

/**
 * The executor of stages: performs the steps of a stage on an object, one after the other. A step
 * that would change nothing is not written, and after the object is deleted only the events of its
 * stage are recorded.
 *
 * <p>Threads: safe.
 */
final class StageExecutor {
  private final Cluster cluster;
  private final ResourceKind kind;
  private final EventRecorder events;

  StageExecutor(Cluster cluster, ResourceKind kind, EventRecorder events) {
    this.cluster = cluster;
    this.kind = kind;
    this.events = events;
  }

  /**
   * A stage that stopped because the API server refused a step.
   *
   * @param object the object after the steps before
   * @param rest the steps that are left
   */
  record Stopped(ApiObject object, Stage rest, ApiFailure why) {}

  /**
   * @return where it stopped; empty if all steps are done
   * @throws TemplateException if a template fails
   */
  Optional<Stopped> play(ApiObject object, Stage stage) {
    ApiObject current = object;
    boolean there = true;
    for (int done = 0; done < stage.steps().size(); done++) {
      StageStep step = stage.steps().get(done);
      try {
        current = there || step instanceof StageStep.Announce ? play(current, step) : current;
      } catch (ApiException refused) {
        return Optional.of(new Stopped(current, stage.after(done), refused.failure()));
      }
      there &= !(step instanceof StageStep.Delete);
    }
    return Optional.empty();
  }

  /** The object after a step. */
  private ApiObject play(ApiObject object, StageStep step) {
    return switch (step) {
      case StageStep.Announce announce -> {
        announce(object, announce);
        yield object;
      }
      case StageStep.Patch patch -> patch(object, patch);
      case StageStep.Apply apply -> apply(object, apply);
      case StageStep.Finalizers change -> change(object, change);
      case StageStep.Delete() -> {
        cluster.delete(kind, object, Deletion.NOW);
        yield object;
      }
    };
  }

  private void announce(ApiObject object, StageStep.Announce what) {
    String message = what.message().render(object.tree());
    if (what.warning()) {
      events.warning(object, what.reason(), message);
    } else {
      events.normal(object, what.reason(), message);
    }
  }

  private ApiObject patch(ApiObject object, StageStep.Patch patch) {
    Tree changed = ObjectPatch.apply(object.tree(), patch);
    return write(as(patch.user()), kind, object, changed, patch.subresource());
  }

  /**
   * Other objects are written in their current version; if one is gone by then, the API server
   * refuses it.
   */
  private ApiObject apply(ApiObject object, StageStep.Apply apply) {
    ApiObject described = ObjectPatch.whole(object.tree(), apply);
    ResourceKind target = kind(described);
    ApiObject written =
        apply.type() == StageStep.ApplyType.APPLY
            ? as(apply.user()).apply(target, apply.subresource(), described)
            : merge(target, described, apply);
    return described.key(target).equals(object.key(kind)) ? written : object;
  }

  private ResourceKind kind(ApiObject described) {
    ResourceKind target =
        described.isA(kind)
            ? kind
            : cluster
                .kind(described.apiVersion(), described.kind())
                .orElseThrow(() ->
                    new TemplateException(
                        "nothing here serves the kind %s of %s"
                            .formatted(described.kind(), described.apiVersion())));
    if (target.namespaced() && described.namespace().isEmpty()) {
      throw new TemplateException(
          "%s %s is to be applied without a metadata.namespace"
              .formatted(target.kind(), described.name()));
    }
    return target;
  }

  private ApiObject merge(ResourceKind target, ApiObject described, StageStep.Apply apply) {
    ObjectKey key = described.key(target);
    ApiObject now =
        cluster
            .get(key)
            .orElseThrow(() ->
                new TemplateException(
                    "%s %s is not there to be changed; use the type apply, which creates it"
                        .formatted(target.kind(), described.path())));
    boolean strategic = apply.type() == StageStep.ApplyType.STRATEGIC;
    Tree changed = ObjectPatch.merge(now.tree(), described.tree(), strategic);
    return write(as(apply.user()), target, now, changed, apply.subresource());
  }

  private Cluster as(String user) {
    return user.isEmpty() ? cluster : cluster.as(user);
  }

  private static ApiObject write(
      Cluster world, ResourceKind target, ApiObject before, Tree after, String subresource) {
    if (subresource.equals("status")) {
      Tree status = after.tree("status");
      return status.equals(before.status()) ? before : world.patchStatus(target, before, status);
    }
    if (after.equals(before.tree())) {
      return before;
    }
    return subresource.isEmpty()
        ? world.update(target, new ApiObject(after))
        : world.put(before.key(target), subresource, new ApiObject(after));
  }

  private ApiObject change(ApiObject object, StageStep.Finalizers change) {
    ApiObject changed = change.empty() ? object.withoutMetadata("finalizers") : object;
    for (String finalizer : change.remove()) {
      changed = changed.withoutFinalizer(finalizer);
    }
    for (String finalizer : change.add()) {
      changed = changed.withFinalizer(finalizer);
    }
    return changed.equals(object) ? object : cluster.update(kind, changed);
  }
}
