package dev.sluice.store;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The plainest store there is, to compare the real ones with: a copy of everything a revision. */
final class NaiveStore {
  private final List<TreeMap<ObjectKey, ApiObject>> states = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();
  private final int historyLimit;
  private long oldest;

  NaiveStore(int historyLimit) {
    this.historyLimit = historyLimit;
    states.add(new TreeMap<>());
  }

  long revision() {
    return changes.size();
  }

  long oldest() {
    return oldest;
  }

  long revisionOf(ObjectKey key) {
    return get(revision(), key).map(Samples::revision).orElse(0L);
  }

  Optional<ApiObject> get(long revision, ObjectKey key) {
    return Optional.ofNullable(states.get((int) revision).get(key));
  }

  List<ApiObject> list(long revision, ResourceKind kind) {
    return states.get((int) revision).entrySet().stream()
        .filter(entry -> same(entry.getKey().kind(), kind))
        .map(entry -> entry.getValue())
        .toList();
  }

  List<ApiObject> list(long revision, ResourceKind kind, String namespace) {
    return list(revision, kind).stream()
        .filter(object -> object.namespace().equals(namespace))
        .toList();
  }

  List<Change> changes(ResourceKind kind, long after) {
    return changes.stream()
        .filter(change -> change.revision() > after && same(change.key().kind(), kind))
        .toList();
  }

  /** The revisions of the writes that the objects and the history need. */
  List<Long> needed() {
    var current = states.get((int) oldest).values().stream().map(Samples::revision);
    return Stream.concat(current, changes.stream().map(Change::revision).filter(r -> r > oldest))
        .sorted()
        .toList();
  }

  void put(ObjectKey key, ApiObject object) {
    String revision = Long.toString(revision() + 1);
    write(key, Optional.of(object.withMetadata("resourceVersion", revision)));
  }

  void delete(ObjectKey key) {
    write(key, Optional.empty());
  }

  void compact(long revision) {
    oldest = Math.max(oldest, revision);
  }

  private void write(ObjectKey key, Optional<ApiObject> after) {
    changes.add(new Change(revision() + 1, key, get(revision(), key), after));
    var next = new TreeMap<>(states.getLast());
    next.remove(key);
    after.ifPresent(object -> next.put(key, object));
    states.add(next);
    if (revision() - oldest > historyLimit) {
      oldest = revision() - historyLimit / 2;
    }
  }

  private static boolean same(ResourceKind one, ResourceKind other) {
    return one.group().equals(other.group()) && one.plural().equals(other.plural());
  }
}
