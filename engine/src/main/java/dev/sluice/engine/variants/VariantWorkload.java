package dev.sluice.engine.variants;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;

/** The spec of a variant: that of its parent, for one flavor. */
final class VariantWorkload {
  private static final String APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  private VariantWorkload() {}

  /**
   * A new variant. The parent enforces the maximum execution time, since the time of all its
   * variants counts.
   */
  static Workload of(Workload parent, String flavor, String name) {
    ApiObject object = parent.object();
    ApiObject variant =
        ApiObject.of(Kinds.WORKLOAD, object.namespace(), name)
            .withSpec(object.spec().without("maximumExecutionTimeSeconds").with("active", true))
            .withMetadata("labels", labels(object))
            .withMetadata("annotations", annotations(object, flavor))
            .withFinalizer(KueueNames.IN_USE)
            .controlledBy(object);
    return new Workload(variant).withPreemptionGate(KueueNames.CONCURRENT_ADMISSION_GATE);
  }

  private static Tree labels(ApiObject parent) {
    return parent.metadata().tree("labels").without(KueueNames.CONCURRENT_ADMISSION_PARENT);
  }

  private static Tree annotations(ApiObject parent, String flavor) {
    return parent
        .metadata()
        .tree("annotations")
        .without(APPLIED)
        .with(KueueNames.ALLOWED_FLAVORS, flavor);
  }

  /** The variant updated from its parent; the fields that quota was reserved for cannot change. */
  static Workload followed(Workload parent, Workload variant) {
    ApiObject followed = with(variant.object(), parent.object(), "priority");
    followed = with(followed, parent.object(), "priorityClassRef");
    if (variant.reserved()) {
      return new Workload(followed);
    }
    followed = with(followed, parent.object(), "queueName");
    followed = with(followed, parent.object(), "podSets");
    for (String name : List.of(KueueNames.ADMISSION_GATED_BY, KueueNames.PRIORITY_BOOST)) {
      String value = parent.object().annotation(name);
      followed =
          value.isEmpty() ? followed.withoutAnnotation(name) : followed.withAnnotation(name, value);
    }
    return new Workload(followed);
  }

  private static ApiObject with(ApiObject variant, ApiObject parent, String field) {
    return parent.spec().at(field) == Value.Null.NULL
        ? variant.without(List.of("spec", field))
        : variant.with(List.of("spec", field), parent.spec().at(field));
  }

  /** Whether quota was reserved for something else than the parent requests now. */
  static boolean isOutdated(Workload parent, Workload variant) {
    return variant.reserved()
        && (!variant.queueName().equals(parent.queueName())
            || !variant.object().spec().at("podSets").equals(parent.object().spec().at("podSets")));
  }
}
