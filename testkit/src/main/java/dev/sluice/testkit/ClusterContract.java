package dev.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The contract of {@link Cluster} as tests, which every implementation must pass: a real API
 * server, the embedded one, and the one in virtual time. The cluster under test must serve
 * Namespaces, ConfigMaps, Leases, Jobs and Pods, and no controller may touch them in the namespaces
 * of the tests.
 */
@Timeout(120)
public abstract class ClusterContract extends WriteContract {

  @Test
  void aWatchTellsEveryChangeOnceAndInOrder() {
    try (var told = ToldEvents.of(cluster, Kinds.CONFIG_MAP, namespace)) {
      ApiObject first = cluster.create(Kinds.CONFIG_MAP, configMap("a", "1"));
      ApiObject second = cluster.update(Kinds.CONFIG_MAP, withValue(first, "2"));
      cluster.update(Kinds.CONFIG_MAP, second);
      cluster.create(Kinds.LEASE, lease("not-mine"));
      cluster.delete(Kinds.CONFIG_MAP, second, Deletion.BACKGROUND);
      ApiObject again = cluster.create(Kinds.CONFIG_MAP, configMap("a", "3"));
      letAllBeTold(Kinds.CONFIG_MAP, told);

      assertThat(told.said())
          .containsExactly("ADDED a", "MODIFIED a", "DELETED a", "ADDED a", "ADDED last");
      assertThat(told.events().get(0).object()).isEqualTo(first);
      assertThat(told.events().get(1).object()).isEqualTo(second);
      assertThat(told.events().get(1).before()).contains(first);
      assertThat(told.events().get(2).object().uid()).isEqualTo(first.uid());
      assertThat(told.events().get(3).object()).isEqualTo(again);
      told.replay();
    }
  }

  @Test
  void aWatchFirstTellsWhatThereIsInOrder() {
    for (String name : List.of("c", "a", "b")) {
      cluster.create(Kinds.CONFIG_MAP, configMap(name, "1"));
    }
    String other = newNamespace();
    cluster.create(Kinds.CONFIG_MAP, configMap("d", "1").withMetadata("namespace", other));

    try (var told = ToldEvents.of(cluster, Kinds.CONFIG_MAP, namespace, other)) {
      assertThat(told.said()).containsExactlyInAnyOrder("ADDED a", "ADDED b", "ADDED c", "ADDED d");
      assertThat(told.events().stream().map(event -> event.object().key(Kinds.CONFIG_MAP)))
          .isSorted();
    }
  }

  @Test
  void aClosedWatchTellsNothingMore() {
    var closed = ToldEvents.of(cluster, Kinds.CONFIG_MAP, namespace);
    closed.close();
    closed.close();

    try (var open = ToldEvents.of(cluster, Kinds.CONFIG_MAP, namespace)) {
      letAllBeTold(Kinds.CONFIG_MAP, open);

      assertThat(closed.events()).isEmpty();
    }
  }

  @Test
  void listsAreInOrderAndOfOneNamespace() {
    String other = newNamespace();
    for (String name : List.of("b", "c", "a")) {
      cluster.create(Kinds.LEASE, lease(name));
      cluster.create(Kinds.LEASE, lease(name).withMetadata("namespace", other));
    }

    assertThat(cluster.list(Kinds.LEASE, namespace).stream().map(ApiObject::name))
        .containsExactly("a", "b", "c");
    assertThat(cluster.list(Kinds.LEASE, "contract-nowhere")).isEmpty();
    List<ObjectKey> all =
        cluster.list(Kinds.LEASE).stream().map(lease -> lease.key(Kinds.LEASE)).toList();
    assertThat(all).isSorted().hasSizeGreaterThanOrEqualTo(6);
    assertThat(cluster.get(Kinds.NAMESPACE.key(other))).isPresent();
    assertThat(cluster.list(Kinds.NAMESPACE).stream().map(ApiObject::name)).contains(other);
  }

  @Test
  void anObjectWithAFinalizerGoesInTwoSteps() {
    try (var told = ToldEvents.of(cluster, Kinds.CONFIG_MAP, namespace)) {
      ApiObject created =
          cluster.create(Kinds.CONFIG_MAP, configMap("a", "1").withFinalizer(FINALIZER));

      cluster.delete(Kinds.CONFIG_MAP, created, Deletion.BACKGROUND);
      ApiObject deleting = cluster.get(key("a")).orElseThrow();
      assertThat(deleting.isDeleting()).isTrue();
      assertThat(deleting.uid()).isEqualTo(created.uid());

      cluster.update(Kinds.CONFIG_MAP, deleting.withoutFinalizer(FINALIZER));
      runUntil("the object is gone", () -> cluster.get(key("a")).isEmpty());
      letAllBeTold(Kinds.CONFIG_MAP, told);

      assertThat(told.of("a").stream().map(event -> event.type().name()))
          .startsWith("ADDED", "MODIFIED")
          .endsWith("DELETED");
      assertThat(told.of("a").get(1).object().isDeleting()).isTrue();
      told.replay();
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void readsAndEventsAgreeWithANaiveModelUnderRandomWrites(long seed) {
    var writes = new RandomWrites(cluster, seed, namespace, newNamespace());
    try (var configMaps = ToldEvents.of(cluster, Kinds.CONFIG_MAP, namespace, writes.other());
        var jobs = ToldEvents.of(cluster, Kinds.JOB, namespace, writes.other())) {
      writes.run(150);
      letAllBeTold(Kinds.CONFIG_MAP, configMaps);
      letAllBeTold(Kinds.JOB, jobs);

      writes.assertTold(Kinds.CONFIG_MAP, configMaps.replay());
      writes.assertTold(Kinds.JOB, jobs.replay());
    }
  }

  /** The seeds to try: the one in the system property {@code seed}, otherwise a few. */
  static LongStream seeds() {
    Long seed = Long.getLong("seed");
    return seed == null ? LongStream.of(1, 2, 3) : LongStream.of(seed);
  }

  /**
   * Writes one more object; since a watch is in order, all events before it have arrived when its
   * own has.
   */
  private void letAllBeTold(ResourceKind kind, ToldEvents told) {
    cluster.create(kind, kind.equals(Kinds.JOB) ? job("last") : configMap("last", "1"));
    runUntil("the last event is told", () -> told.toldOf("last"));
  }
}
