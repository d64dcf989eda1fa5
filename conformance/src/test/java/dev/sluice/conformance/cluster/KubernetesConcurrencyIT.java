package dev.sluice.conformance.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.RealCluster;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.RealTime;
import dev.sluice.testkit.contract.RandomWrites;
import dev.sluice.testkit.contract.ToldEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many writers at once, on one connection and on two. */
@RequiresKubernetes
@Timeout(120)
class KubernetesConcurrencyIT {
  private static final int WRITERS = 4;

  private final RealTime time = new RealTime();
  private final KubernetesCluster one;
  private final KubernetesCluster other;

  KubernetesConcurrencyIT(RealKubernetes kubernetes) {
    this.one = connect(kubernetes);
    this.other = connect(kubernetes);
  }

  private KubernetesCluster connect(RealKubernetes kubernetes) {
    return RealCluster.of(kubernetes.kubeconfig(), time);
  }

  @AfterEach
  void close() {
    one.close();
    other.close();
    time.close();
  }

  @Test
  void everyWriterReadsItsOwnWrites() throws InterruptedException, ExecutionException {
    var writers = new ArrayList<RandomWrites>();
    var namespaces = new ArrayList<String>();
    for (int i = 0; i < WRITERS; i++) {
      List<String> pair = List.of(namespace("own-" + i), namespace("own-too-" + i));
      namespaces.addAll(pair);
      writers.add(new RandomWrites(one, i, pair.getFirst(), pair.getLast()));
    }
    String[] all = namespaces.toArray(String[]::new);

    try (var configMaps = ToldEvents.of(one, Kinds.CONFIG_MAP, all);
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new ArrayList<Future<?>>();
      writers.forEach(writer -> running.add(executor.submit(() -> writer.run(100))));
      for (Future<?> writer : running) {
        writer.get();
      }
      tellLast(one, all[0], "last");
      Eventually.holds("all is told", () -> configMaps.toldOf("last"));

      assertThat(configMaps.replay()).isEqualTo(configMaps(one, all));
    }
  }

  @Test
  void twoConnectionsThatFightOverTheSameObjectsAgreeInTheEnd()
      throws InterruptedException, ExecutionException {
    String arena = namespace("arena");

    try (var toldOne = ToldEvents.of(one, Kinds.CONFIG_MAP, arena);
        var toldOther = ToldEvents.of(other, Kinds.CONFIG_MAP, arena);
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new ArrayList<Future<?>>();
      for (int i = 0; i < WRITERS; i++) {
        Cluster mine = i % 2 == 0 ? one : other;
        var random = new SplittableRandom(i);
        running.add(executor.submit(() -> fight(mine, random, arena)));
      }
      for (Future<?> writer : running) {
        writer.get();
      }
      tellLast(one, arena, "last");
      tellLast(other, arena, "last-too");
      for (ToldEvents told : List.of(toldOne, toldOther)) {
        Eventually.holds("all is told", () -> told.toldOf("last") && told.toldOf("last-too"));
      }

      assertThat(toldOne.replay()).isEqualTo(configMaps(one, arena));
      assertThat(toldOther.replay()).isEqualTo(configMaps(other, arena));
      assertThat(configMaps(one, arena)).isEqualTo(configMaps(other, arena));
    }
  }

  /** Writes whatever the cache suggests, and does not mind to be refused. */
  private static void fight(Cluster cluster, SplittableRandom random, String namespace) {
    for (int step = 0; step < 150; step++) {
      ObjectKey key = Kinds.CONFIG_MAP.key(namespace, "item-" + random.nextInt(3));
      Optional<ApiObject> seen = cluster.get(key);
      try {
        if (seen.isEmpty()) {
          cluster.create(key.kind(), ApiObject.of(key.kind(), namespace, key.name()));
        } else if (random.nextInt(3) == 0) {
          cluster.delete(key.kind(), seen.get(), Deletion.BACKGROUND);
        } else {
          cluster.update(key.kind(), seen.get().withAnnotation("step", "" + random.nextInt()));
        }
      } catch (ApiException lost) {
        assertThat(lost.failure().reason().code()).isIn(404, 409);
      }
    }
  }

  private String namespace(String name) {
    return one.create(Kinds.NAMESPACE, ApiObject.of(Kinds.NAMESPACE, "", name)).name();
  }

  private static void tellLast(Cluster cluster, String namespace, String name) {
    cluster.create(Kinds.CONFIG_MAP, ApiObject.of(Kinds.CONFIG_MAP, namespace, name));
  }

  private static SortedMap<ObjectKey, ApiObject> configMaps(Cluster cluster, String... namespaces) {
    var found = new TreeMap<ObjectKey, ApiObject>();
    for (String namespace : namespaces) {
      cluster
          .list(Kinds.CONFIG_MAP, namespace)
          .forEach(object -> found.put(object.key(Kinds.CONFIG_MAP), object));
    }
    return found;
  }
}
