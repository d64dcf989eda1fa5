package dev.sluice.apiserver.cluster;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.ObjectEvent;
import dev.sluice.runtime.Subscription;
import dev.sluice.store.Change;
import dev.sluice.store.CompactedException;
import dev.sluice.store.Snapshot;
import dev.sluice.store.Store;
import dev.sluice.store.Watch;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A watch of the store for one listener: first the objects that exist, then every change, without a
 * gap.
 */
final class StoreWatch {
  private final Store store;
  private final ResourceKind kind;
  private final UnaryOperator<ApiObject> view;
  private final Consumer<ObjectEvent> listener;

  private StoreWatch(
      Store store,
      ResourceKind kind,
      UnaryOperator<ApiObject> view,
      Consumer<ObjectEvent> listener) {
    this.store = store;
    this.kind = kind;
    this.view = view;
    this.listener = listener;
  }

  /**
   * @param view converts stored objects to the version that the listener expects
   */
  static Subscription start(
      Store store,
      ResourceKind kind,
      UnaryOperator<ApiObject> view,
      Consumer<ObjectEvent> listener) {
    Watch watch = new StoreWatch(store, kind, view, listener).start();
    return watch::close;
  }

  private Watch start() {
    Snapshot sent = store.snapshot();
    sent.list(kind).forEach(object -> listener.accept(ObjectEvent.added(view.apply(object))));
    while (true) {
      try {
        return store.watch(kind, sent.revision(), this::send);
      } catch (CompactedException forgotten) {
        // The revision was compacted while the listener handled events: send the difference.
        Snapshot now = store.snapshot();
        sendDifference(sent, now);
        sent = now;
      }
    }
  }

  private void send(Change change) {
    send(change.before(), change.after());
  }

  private void sendDifference(Snapshot sent, Snapshot now) {
    var gone = new TreeMap<String, ApiObject>();
    sent.list(kind).forEach(object -> gone.put(object.path(), object));
    for (ApiObject object : now.list(kind)) {
      Optional<ApiObject> before = Optional.ofNullable(gone.remove(object.path()));
      if (!before.equals(Optional.of(object))) {
        send(before, Optional.of(object));
      }
    }
    gone.values().forEach(object -> send(Optional.of(object), Optional.empty()));
  }

  private void send(Optional<ApiObject> before, Optional<ApiObject> after) {
    if (after.isEmpty()) {
      listener.accept(ObjectEvent.deleted(view.apply(before.orElseThrow())));
    } else if (before.isEmpty()) {
      listener.accept(ObjectEvent.added(view.apply(after.get())));
    } else {
      listener.accept(ObjectEvent.modified(view.apply(before.get()), view.apply(after.get())));
    }
  }
}
