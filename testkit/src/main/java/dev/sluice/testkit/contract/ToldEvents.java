package dev.sluice.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.ObjectEvent;
import dev.sluice.runtime.Subscription;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The events of a watch in the namespaces of a test, with what reads showed at the time of each.
 *
 * <p>Threads: safe.
 */
public final class ToldEvents implements AutoCloseable {
  private final Cluster cluster;
  private final ResourceKind kind;
  private final List<String> namespaces;
  private final List<ObjectEvent> events = new CopyOnWriteArrayList<>();
  private final List<String> unread = new CopyOnWriteArrayList<>();
  private final Subscription subscription;

  private ToldEvents(Cluster cluster, ResourceKind kind, List<String> namespaces) {
    this.cluster = cluster;
    this.kind = kind;
    this.namespaces = namespaces;
    this.subscription = cluster.watch(kind, this::note);
  }

  /** Starts to watch a kind in some namespaces. */
  public static ToldEvents of(Cluster cluster, ResourceKind kind, String... namespaces) {
    return new ToldEvents(cluster, kind, List.of(namespaces));
  }

  private void note(ObjectEvent event) {
    if (!namespaces.contains(event.object().namespace())) {
      return;
    }
    Optional<ApiObject> read = cluster.get(event.object().key(kind));
    if (!shows(read, event)) {
      unread.add(
          "told %s, but read %s".formatted(said(event), read.map(ApiObject::resourceVersion)));
    }
    events.add(event);
  }

  /** Whether a read shows the object of an event, or a newer version. */
  private static boolean shows(Optional<ApiObject> read, ObjectEvent event) {
    ApiObject told = event.object();
    if (event.type() == ObjectEvent.Type.DELETED) {
      return read.isEmpty() || !read.get().uid().equals(told.uid());
    }
    return read.isEmpty()
        || !read.get().uid().equals(told.uid())
        || revision(read.get()) >= revision(told);
  }

  private static long revision(ApiObject object) {
    return Long.parseLong(object.resourceVersion());
  }

  public List<ObjectEvent> events() {
    return List.copyOf(events);
  }

  /** The events in short, such as {@code MODIFIED trainer}. */
  public List<String> said() {
    return events.stream().map(ToldEvents::said).toList();
  }

  private static String said(ObjectEvent event) {
    return event.type() + " " + event.object().name();
  }

  public boolean toldOf(String name) {
    return events.stream().anyMatch(event -> event.object().name().equals(name));
  }

  /**
   * Checks that the events are consistent: every object begins with ADDED, each MODIFIED follows
   * the version before it, nothing but ADDED follows DELETED, and reads were never behind.
   *
   * @return the objects after the last event
   */
  public SortedMap<ObjectKey, ApiObject> replay() {
    assertThat(unread).as("reads show an event before it is told").isEmpty();
    var state = new TreeMap<ObjectKey, ApiObject>();
    for (ObjectEvent event : events) {
      ApiObject object = event.object();
      ObjectKey key = object.key(kind);
      Optional<ApiObject> before = Optional.ofNullable(state.get(key));
      String what = "%s after %s".formatted(said(event), before.map(ApiObject::resourceVersion));
      switch (event.type()) {
        case ADDED -> {
          assertThat(before).as(what).isEmpty();
          assertThat(event.before()).as(what).isEmpty();
          state.put(key, object);
        }
        case MODIFIED -> {
          assertThat(before).as(what).isPresent();
          assertThat(event.before()).as(what).isEqualTo(before);
          assertThat(object.uid()).as(what).isEqualTo(before.orElseThrow().uid());
          assertThat(revision(object)).as(what).isGreaterThan(revision(before.orElseThrow()));
          state.put(key, object);
        }
        case DELETED -> {
          assertThat(before.map(ApiObject::uid)).as(what).contains(object.uid());
          assertThat(event.before().map(ApiObject::uid)).as(what).contains(object.uid());
          state.remove(key);
        }
      }
    }
    return state;
  }

  /** The events of one object, oldest first. */
  public List<ObjectEvent> of(String name) {
    return events.stream().filter(event -> event.object().name().equals(name)).toList();
  }

  @Override
  public void close() {
    subscription.close();
  }
}
