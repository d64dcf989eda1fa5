package dev.sluice.kubernetes;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;

/**
 * Sends writes, and lets reads show what came of them before it returns: what the server answers
 * goes into the cache of its kind. Kinds that are never read have no cache, and are only written.
 *
 * <p>Threads: safe; callers wait for the answer.
 */
final class ReadYourWrites {
  private final ApiCalls calls;
  private final KindWatches watches;
  private final InFlightWrites underWay;

  ReadYourWrites(ApiCalls calls, KindWatches watches, InFlightWrites underWay) {
    this.calls = calls;
    this.watches = watches;
    this.underWay = underWay;
  }

  /** The same, sent by other calls. */
  ReadYourWrites by(ApiCalls others) {
    return new ReadYourWrites(others, watches, underWay);
  }

  /** Sends what is answered with the object as it is now. */
  ApiObject send(String method, ResourceKind kind, String path, String contentType, Tree body) {
    try (var write = underWay.begin()) {
      return show(write, kind, calls.send(method, path, contentType, body));
    }
  }

  /** Sends to a subresource, which may answer with the object or with a kind of its own. */
  ApiObject sendBelow(String method, ObjectKey key, String subresource, Tree body) {
    try (var write = underWay.begin()) {
      String path = ApiCalls.subresource(key, subresource);
      Tree answer = calls.send(method, path, ApiCalls.JSON, body);
      if (new ApiObject(answer).isA(key.kind())) {
        return show(write, key.kind(), answer);
      }
      // Some answer only that it was done, or with a kind of their own: reads must show what it
      // did to the object.
      if (watches.started(key.kind()).isPresent()) {
        refresh(write, key);
      }
      return TreeConversion.object(answer);
    }
  }

  void delete(ObjectKey key, String uid, Tree options) {
    try (var write = underWay.begin()) {
      Tree answer = calls.send("DELETE", ApiCalls.object(key), ApiCalls.JSON, options);
      ApiObject last = new ApiObject(answer);
      // Some kinds answer with the object even if nothing is left of it but this answer.
      if (last.isA(key.kind()) && last.isDeleting()) {
        show(write, key.kind(), answer);
      } else {
        showGone(write, key, uid);
      }
    }
  }

  private void refresh(InFlightWrites.Write write, ObjectKey key) {
    try {
      show(write, key.kind(), calls.get(ApiCalls.object(key)));
    } catch (ApiException refused) {
      // The write itself succeeded. If the object is gone, the watch will say so with its uid.
      if (!refused.is(ApiFailure.Reason.NOT_FOUND)) {
        throw refused;
      }
    }
  }

  private ApiObject show(InFlightWrites.Write write, ResourceKind kind, Tree answer) {
    ApiObject object = TreeConversion.object(answer);
    if (isGone(object)) {
      showGone(write, object.key(kind), object.uid());
    } else {
      watches.started(kind).map(KindWatch::cache).ifPresent(cache -> cache.answered(write, object));
    }
    return object;
  }

  /**
   * Whether an answer is all that is left of an object: the server removes an object together with
   * its last finalizer, unless a pod still has time to end. Namespaces keep theirs in the spec.
   */
  private static boolean isGone(ApiObject object) {
    return object.isDeleting()
        && object.finalizers().isEmpty()
        && object.spec().items("finalizers").isEmpty()
        && object.metadata().whole("deletionGracePeriodSeconds").orElse(0) == 0;
  }

  private void showGone(InFlightWrites.Write write, ObjectKey key, String uid) {
    watches
        .started(key.kind())
        .map(KindWatch::cache)
        .ifPresent(cache -> cache.answeredGone(write, key, uid));
  }
}
