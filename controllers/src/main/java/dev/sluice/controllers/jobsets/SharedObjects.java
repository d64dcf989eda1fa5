package dev.sluice.controllers.jobsets;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.jobset.JobSet;
import dev.sluice.model.jobset.JobSet.ClaimTemplate;
import dev.sluice.model.jobset.JobSetNames;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import java.util.Map;
import java.util.Optional;

/**
 * What all Jobs of a JobSet share: the headless Service that gives their pods names, and volume
 * claims. What exists already is used as it is.
 */
final class SharedObjects {
  private final Cluster cluster;

  SharedObjects(Cluster cluster) {
    this.cluster = cluster;
  }

  /** An object that could not be created, by the reason of its event. */
  record Refusal(String reason, ApiException why) {}

  /**
   * Creates what is missing.
   *
   * @return the first refusal
   */
  Optional<Refusal> complete(JobSet set) {
    if (set.hasHostnames()) {
      Optional<ApiException> refused = create(Kinds.SERVICE, service(set));
      if (refused.isPresent()) {
        return Optional.of(new Refusal("HeadlessServiceCreationFailed", refused.get()));
      }
    }
    for (ClaimTemplate template : set.claimTemplates()) {
      Optional<ApiException> refused = create(Kinds.PERSISTENT_VOLUME_CLAIM, claim(set, template));
      if (refused.isPresent()) {
        return Optional.of(new Refusal("PVCCreationFailed", refused.get()));
      }
    }
    return Optional.empty();
  }

  private Optional<ApiException> create(ResourceKind kind, ApiObject object) {
    if (cluster.get(object.key(kind)).isPresent()) {
      return Optional.empty();
    }
    try {
      cluster.create(kind, object);
      return Optional.empty();
    } catch (ApiException refused) {
      return refused.is(ApiFailure.Reason.ALREADY_EXISTS) ? Optional.empty() : Optional.of(refused);
    }
  }

  private static ApiObject service(JobSet set) {
    return ApiObject.of(Kinds.SERVICE, set.namespace(), set.subdomain())
        .controlledBy(set.object())
        .withSpec(
            Tree.of(
                "clusterIP",
                "None",
                "selector",
                Map.of(JobSetNames.JOB_SET, set.name()),
                "publishNotReadyAddresses",
                set.publishesNotReady()));
  }

  private static ApiObject claim(JobSet set, ClaimTemplate template) {
    ApiObject claim =
        ApiObject.of(Kinds.PERSISTENT_VOLUME_CLAIM, set.namespace(), set.claimName(template))
            .withMetadata("labels", template.tree().tree("metadata", "labels"))
            .withMetadata("annotations", template.tree().tree("metadata", "annotations"))
            .withLabel(JobSetNames.JOB_SET, set.name())
            .withSpec(template.tree().tree("spec"));
    return template.keptWithoutJobSet() ? claim : claim.controlledBy(set.object());
  }
}
