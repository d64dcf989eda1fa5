package dev.sluice.testkit;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.Timestamps;
import dev.sluice.model.core.Namespace;
import dev.sluice.model.core.Ownership;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.Deletion;
import java.time.Instant;

/** The rules by which objects of a {@link FakeCluster} are deleted. */
final class FakeDeletion {
  private FakeDeletion() {}

  /** The object as it is once its deletion was asked for, which may be no change. */
  static ApiObject mark(ResourceKind kind, ApiObject now, Deletion deletion, Instant time) {
    long grace = kind.equals(Kinds.POD) ? grace(new Pod(now), deletion) : 0;
    ApiObject marked = withPropagation(now, deletion.propagation());
    long before = now.metadata().whole("deletionGracePeriodSeconds").orElse(Long.MAX_VALUE);
    return grace >= before
        ? marked
        : marked
            .withMetadata("deletionTimestamp", Timestamps.format(time.plusSeconds(grace)))
            .withMetadata("deletionGracePeriodSeconds", grace)
            .withMetadata("generation", now.generation() + 1);
  }

  private static long grace(Pod pod, Deletion deletion) {
    long asked = pod.object().spec().whole("terminationGracePeriodSeconds").orElse(30);
    boolean atOnce = !pod.isBound() || pod.isTerminal();
    return atOnce ? 0 : deletion.graceSeconds().orElse(asked);
  }

  private static ApiObject withPropagation(ApiObject object, Deletion.Propagation propagation) {
    ApiObject bare =
        object.withoutFinalizer(Ownership.FOREGROUND).withoutFinalizer(Ownership.ORPHAN);
    return switch (propagation) {
      case BACKGROUND -> bare;
      case FOREGROUND -> bare.withFinalizer(Ownership.FOREGROUND);
      case ORPHAN -> bare.withFinalizer(Ownership.ORPHAN);
    };
  }

  /** Whether something keeps an object that is being deleted. */
  static boolean isHeld(ResourceKind kind, ApiObject object) {
    return !object.finalizers().isEmpty()
        || object.metadata().whole("deletionGracePeriodSeconds").orElse(0) > 0
        || (kind.equals(Kinds.NAMESPACE) && !new Namespace(object).specFinalizers().isEmpty());
  }
}
