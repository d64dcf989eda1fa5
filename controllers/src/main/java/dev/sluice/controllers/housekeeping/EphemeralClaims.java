package dev.sluice.controllers.housekeeping;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.util.List;
import java.util.Optional;

/**
 * The controller of generic ephemeral volumes: creates the claims that pods describe in their spec;
 * the pods own them, so they are deleted together.
 */
public final class EphemeralClaims implements Controller {
  private final Cluster cluster;
  private final EventRecorder events;

  public EphemeralClaims(Cluster cluster) {
    this.cluster = cluster;
    this.events = new EventRecorder(cluster, "ephemeral_volume");
  }

  @Override
  public String name() {
    return "ephemeral-claims";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(new Trigger(Kinds.POD, EphemeralClaims::podChanged));
  }

  private static List<ObjectKey> podChanged(ObjectEvent event) {
    Pod pod = new Pod(event.object());
    boolean needed = event.type() == ObjectEvent.Type.ADDED && !templates(pod).isEmpty();
    return needed ? List.of(pod.key()) : List.of();
  }

  private static List<Tree> templates(Pod pod) {
    return pod.spec().tree().trees("volumes").stream()
        .filter(volume -> volume.has("ephemeral"))
        .toList();
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    cluster
        .get(key)
        .map(Pod::new)
        .filter(pod -> pod.isActive())
        .ifPresent(pod -> templates(pod).forEach(volume -> ensure(pod, volume)));
    return Outcome.DONE;
  }

  private void ensure(Pod pod, Tree volume) {
    String name = pod.name() + "-" + volume.text("name");
    Tree template = volume.tree("ephemeral", "volumeClaimTemplate");
    ObjectKey key = Kinds.PERSISTENT_VOLUME_CLAIM.key(pod.namespace(), name);
    Optional<ApiObject> there = cluster.get(key);
    if (there.isPresent()) {
      if (!there.get().isOwnedBy(pod.object())) {
        events.warning(
            pod.object(),
            "FailedBinding",
            "ephemeral volume %s: persistentvolumeclaim \"%s\" exists and is not this pod's"
                .formatted(volume.text("name"), name));
      }
      return;
    }
    ApiObject claim =
        ApiObject.of(Kinds.PERSISTENT_VOLUME_CLAIM, pod.namespace(), name)
            .withSpec(template.tree("spec"));
    for (String field : List.of("labels", "annotations")) {
      Tree texts = template.tree("metadata", field);
      claim = texts.isEmpty() ? claim : claim.withMetadata(field, texts);
    }
    try {
      cluster.create(Kinds.PERSISTENT_VOLUME_CLAIM, claim.controlledBy(pod.object()));
    } catch (ApiException refused) {
      if (!refused.is(ApiFailure.Reason.INVALID)) {
        throw refused;
      }
      events.warning(pod.object(), "FailedBinding", String.valueOf(refused.getMessage()));
    }
  }
}
