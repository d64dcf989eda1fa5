package dev.sluice.apiserver.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.apiserver.registry.StoreRegistry;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.ObjectEvent;
import dev.sluice.runtime.Subscription;
import dev.sluice.runtime.VirtualTime;
import dev.sluice.store.Store;
import dev.sluice.store.Stores;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The world in one process: what is written is read and told at once, under preconditions. */
class EmbeddedClusterTest {
  private final Store store = Stores.inMemory(8);
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final StoreRegistry registry =
      new StoreRegistry(store, time, new SplittableRandom(1), List.of());
  private final EmbeddedCluster cluster =
      new EmbeddedCluster(registry, store, time, new SplittableRandom(2));

  EmbeddedClusterTest() {
    registry.bootstrap();
  }

  private static ApiObject configMap(String name) {
    return ApiObject.of(Kinds.CONFIG_MAP, "default", name).with(List.of("data", "key"), "value");
  }

  private static ApiObject job(String name) {
    return ApiObject.of(Kinds.JOB, "default", name)
        .withSpec(
            Yaml.parseAll(
                    """
                    template:
                      spec:
                        restartPolicy: Never
                        containers: [{name: main, image: none}]
                    """)
                .getFirst()
                .asTree());
  }

  private static void assertRefused(Reason reason, ThrowingCallable write) {
    ApiException refused = catchThrowableOfType(ApiException.class, write);
    assertThat(refused).isNotNull();
    assertThat(refused.failure().reason()).as(refused.getMessage()).isEqualTo(reason);
  }

  @Test
  void aWatchTellsWhatIsThereThenEveryChangeBeforeTheWriteReturns() {
    ApiObject first = cluster.create(Kinds.CONFIG_MAP, configMap("a"));
    var told = new ArrayList<ObjectEvent>();
    Subscription watch = cluster.watch(Kinds.CONFIG_MAP, told::add);
    assertThat(told).containsExactly(ObjectEvent.added(first));

    ApiObject second = cluster.update(Kinds.CONFIG_MAP, first.withLabel("a", "b"));
    assertThat(told.getLast()).isEqualTo(ObjectEvent.modified(first, second));
    cluster.delete(Kinds.CONFIG_MAP, second, Deletion.BACKGROUND);
    assertThat(told.getLast()).isEqualTo(ObjectEvent.deleted(second));
    cluster.create(Kinds.JOB, job("other"));
    watch.close();
    watch.close();
    cluster.create(Kinds.CONFIG_MAP, configMap("b"));

    assertThat(told).hasSize(3);
  }

  @Test
  void readsShowAnEventBeforeItIsTold() {
    var read = new ArrayList<ApiObject>();
    cluster.watch(
        Kinds.CONFIG_MAP,
        event -> cluster.get(event.object().key(Kinds.CONFIG_MAP)).ifPresent(read::add));

    ApiObject created = cluster.create(Kinds.CONFIG_MAP, configMap("a"));

    assertThat(read).containsExactly(created);
  }

  /** The store remembers eight changes; more of them happen while the listener is told of one. */
  @Test
  void aWatchThatFallsBehindWhileItStartsIsToldTheSum() {
    ApiObject kept = cluster.create(Kinds.CONFIG_MAP, configMap("a"));
    ApiObject gone = cluster.create(Kinds.CONFIG_MAP, configMap("b"));
    var told = new ArrayList<ObjectEvent>();

    cluster.watch(
        Kinds.CONFIG_MAP,
        event -> {
          boolean first = told.isEmpty();
          told.add(event);
          if (first) {
            overflow(gone);
          }
        });

    ApiObject changed = cluster.get(kept.key(Kinds.CONFIG_MAP)).orElseThrow();
    ApiObject added = cluster.get(Kinds.CONFIG_MAP.key("default", "c")).orElseThrow();
    assertThat(told)
        .containsExactly(
            ObjectEvent.added(kept),
            ObjectEvent.added(gone),
            ObjectEvent.modified(kept, changed),
            ObjectEvent.added(added),
            ObjectEvent.deleted(gone));
  }

  /** Stands for another writer, which would be on another thread. */
  private void overflow(ApiObject gone) {
    cluster.delete(Kinds.CONFIG_MAP, gone, Deletion.BACKGROUND);
    cluster.create(Kinds.CONFIG_MAP, configMap("c"));
    for (int i = 0; i < 20; i++) {
      ApiObject current = cluster.get(Kinds.CONFIG_MAP.key("default", "a")).orElseThrow();
      cluster.update(Kinds.CONFIG_MAP, current.withLabel("try", String.valueOf(i)));
    }
  }

  @Test
  void writesHavePreconditions() {
    ApiObject seen = cluster.create(Kinds.JOB, job("j"));
    ApiObject newer = cluster.update(Kinds.JOB, seen.withLabel("a", "b"));

    assertRefused(Reason.CONFLICT, () -> cluster.update(Kinds.JOB, seen.withLabel("a", "c")));
    assertRefused(
        Reason.CONFLICT, () -> cluster.patchStatus(Kinds.JOB, seen, Tree.of("active", 1)));
    assertRefused(
        Reason.INVALID, () -> cluster.update(Kinds.JOB, newer.withoutMetadata("resourceVersion")));
    assertRefused(
        Reason.CONFLICT,
        () -> cluster.delete(Kinds.JOB, newer.withMetadata("uid", "x"), Deletion.BACKGROUND));
    cluster.delete(Kinds.JOB, seen, Deletion.BACKGROUND);

    assertThat(cluster.get(seen.key(Kinds.JOB))).as("any revision, if the uid is right").isEmpty();
  }

  @Test
  void aStatusIsReplacedAloneAndReturnedAsStored() {
    ApiObject seen = cluster.create(Kinds.JOB, job("j"));

    ApiObject reported = cluster.patchStatus(Kinds.JOB, seen, Tree.of("active", 1, "ready", 0));
    ApiObject again = cluster.patchStatus(Kinds.JOB, reported, Tree.of("active", 2));

    assertThat(again.status()).isEqualTo(Tree.of("active", 2));
    assertThat(again.spec()).isEqualTo(seen.spec());
    assertThat(cluster.get(seen.key(Kinds.JOB))).contains(again);
  }

  @Test
  void unknownFieldsAreDefectsOfTheWriter() {
    assertRefused(
        Reason.BAD_REQUEST,
        () -> cluster.create(Kinds.JOB, job("j").with(List.of("spec", "oops"), 1)));
  }

  @Test
  void aPodIsBoundIfItIsTheOneThatWasSeen() {
    ApiObject pod =
        cluster.create(
            Kinds.POD,
            ApiObject.of(Kinds.POD, "default", "p")
                .withSpec(job("x").spec().tree("template", "spec")));
    ApiObject binding =
        ApiObject.of(Kinds.BINDING, "default", "p")
            .with(List.of("target"), Tree.of("kind", "Node", "name", "n"));

    assertRefused(
        Reason.CONFLICT,
        () ->
            cluster.post(
                pod.key(Kinds.POD), "binding", binding.withMetadata("uid", "someone else")));
    cluster.post(pod.key(Kinds.POD), "binding", binding.withMetadata("uid", pod.uid()));

    assertThat(cluster.get(pod.key(Kinds.POD)).orElseThrow().spec().text("nodeName"))
        .isEqualTo("n");
  }

  @Test
  void aNamespaceGoesWhenItsFinalizersAreReplacedByNone() {
    ApiObject created = cluster.create(Kinds.NAMESPACE, ApiObject.of(Kinds.NAMESPACE, "", "n"));
    cluster.delete(Kinds.NAMESPACE, created, Deletion.BACKGROUND);
    ApiObject leaving = cluster.get(created.key(Kinds.NAMESPACE)).orElseThrow();

    assertRefused(
        Reason.CONFLICT,
        () -> cluster.put(created.key(Kinds.NAMESPACE), "finalize", created.withSpec(Tree.EMPTY)));
    cluster.put(created.key(Kinds.NAMESPACE), "finalize", leaving.withSpec(Tree.EMPTY));

    assertThat(cluster.get(created.key(Kinds.NAMESPACE))).isEmpty();
  }

  @Test
  void aKindWithoutDefinitionIsNotKnown() {
    ResourceKind unknown = new ResourceKind("example.com", "v1", "Thing", "things", true);

    assertThat(cluster.list(unknown)).isEmpty();
    assertRefused(
        Reason.NOT_FOUND, () -> cluster.create(unknown, ApiObject.of(unknown, "default", "t")));
  }

  @Test
  void timeAndRandomnessAreThoseItWasGiven() {
    assertThat(cluster.time()).isSameAs(time);
    assertThat(cluster.random().nextLong()).isEqualTo(new SplittableRandom(2).nextLong());
  }
}
