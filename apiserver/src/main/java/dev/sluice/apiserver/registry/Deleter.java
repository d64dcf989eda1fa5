package dev.sluice.apiserver.registry;

import dev.sluice.apiserver.registry.Registry.Deleted;
import dev.sluice.apiserver.registry.admission.AdmissionChain;
import dev.sluice.apiserver.registry.kind.ApiErrors;
import dev.sluice.apiserver.registry.kind.RuledKind;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.runtime.TimeSource;
import dev.sluice.store.StaleException;
import java.util.Optional;

/**
 * The deletion of objects, at once or in two steps: an object with finalizers or a grace period is
 * marked, and removed later. Threads: safe.
 */
final class Deleter {
  /** A deletion is usually not tied to a revision, so it may be retried often. */
  private static final int ATTEMPTS = 20;

  private final StorageWriter writer;
  private final TimeSource time;

  Deleter(StorageWriter writer, TimeSource time) {
    this.writer = writer;
    this.time = time;
  }

  Deleted delete(RuledKind ruled, ObjectKey key, DeleteRequest request) {
    AdmissionChain.checkDeletable(key);
    Optional<ApiObject> marked = Optional.empty();
    for (int attempt = 1; ; attempt++) {
      Optional<ApiObject> found = writer.read(key);
      if (marked.isPresent() && !isSame(marked.get(), found)) {
        // A controller that saw the mark was faster: the object is gone, as was asked for.
        return new Deleted(ruled.in(marked.get()), true);
      }
      ApiObject stored = found.orElseThrow(() -> ApiFailure.notFound(key));
      checkPreconditions(key, stored, request);
      DeletionPlan plan = DeletionPlan.of(ruled, stored, request, time.now());
      try {
        if (!plan.removes() || ruled.rules().marksBeforeRemoval()) {
          marked = Optional.of(writer.replace(key, stored, plan.marked(), request.dryRun()));
        }
        ApiObject last = marked.orElse(stored);
        ApiObject object = plan.removes() ? writer.remove(key, last, request.dryRun()) : last;
        return new Deleted(ruled.in(object), plan.removes());
      } catch (StaleException lost) {
        if (attempt == ATTEMPTS) {
          throw ApiFailure.conflict(key);
        }
      }
    }
  }

  private static boolean isSame(ApiObject object, Optional<ApiObject> other) {
    return other.filter(found -> found.uid().equals(object.uid())).isPresent();
  }

  private static void checkPreconditions(ObjectKey key, ApiObject stored, DeleteRequest request) {
    request
        .uid()
        .filter(uid -> !uid.equals(stored.uid()))
        .ifPresent(uid -> {
          throw ApiErrors.precondition(key, "UID", uid, stored.uid());
        });
    request
        .resourceVersion()
        .filter(revision -> !revision.equals(stored.resourceVersion()))
        .ifPresent(revision -> {
          throw ApiErrors.precondition(key, "ResourceVersion", revision, stored.resourceVersion());
        });
  }
}
