package dev.sluice.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * Random writes to a few objects of two kinds in two namespaces, with right and wrong
 * preconditions; after each write, reads must show what a naive model expects.
 */
public final class RandomWrites {
  private static final List<ResourceKind> KINDS = List.of(Kinds.CONFIG_MAP, Kinds.JOB);
  private static final List<String> NAMES = List.of("item-a", "item-b", "item-c");

  private final Cluster cluster;
  private final RandomGenerator random;
  private final long seed;
  private final List<String> namespaces;

  /** The existing objects, as their last write returned them. */
  private final SortedMap<ObjectKey, ApiObject> model = new TreeMap<>();

  /** Every version that was ever seen, to write with stale ones. */
  private final Map<ObjectKey, List<ApiObject>> past = new TreeMap<>();

  public RandomWrites(Cluster cluster, long seed, String namespace, String other) {
    this.cluster = cluster;
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.namespaces = List.of(namespace, other);
  }

  String other() {
    return namespaces.getLast();
  }

  public void run(int steps) {
    for (int step = 1; step <= steps; step++) {
      ObjectKey key = pick(KINDS).key(pick(namespaces), pick(NAMES));
      String did = write(key);
      assertReadsAgree("seed %d, step %d: %s %s".formatted(seed, step, did, key));
    }
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** Performs one write to an object and describes it. */
  private String write(ObjectKey key) {
    Optional<ApiObject> now = Optional.ofNullable(model.get(key));
    if (now.isEmpty()) {
      return random.nextInt(4) == 0 ? writeStale(key, now) : create(key);
    }
    return switch (random.nextInt(8)) {
      case 0 -> createAgain(key);
      case 1 -> writeStale(key, now);
      case 2, 3 -> delete(key, now.get());
      case 4 -> changeFinalizer(key, now.get());
      case 5 -> patchStatus(key, now.get());
      default -> update(key, now.get());
    };
  }

  private String create(ObjectKey key) {
    remember(key, cluster.create(key.kind(), fresh(key)));
    return "create";
  }

  private String createAgain(ObjectKey key) {
    ContractWorld.assertRefused(
        Reason.ALREADY_EXISTS, () -> cluster.create(key.kind(), fresh(key)));
    return "create again";
  }

  private static ApiObject fresh(ObjectKey key) {
    return key.kind().equals(Kinds.JOB)
        ? ContractWorld.job(key.namespace(), key.name())
        : ApiObject.of(key.kind(), key.namespace(), key.name());
  }

  private String update(ObjectKey key, ApiObject now) {
    // One of four values, so that some updates change nothing.
    String value = Integer.toString(random.nextInt(4));
    remember(key, cluster.update(key.kind(), now.withAnnotation("value", value)));
    return "update";
  }

  private String patchStatus(ObjectKey key, ApiObject now) {
    if (!key.kind().equals(Kinds.JOB)) {
      return update(key, now);
    }
    var status = ContractWorld.suspended("message " + random.nextInt(3));
    remember(key, cluster.patchStatus(key.kind(), now, status));
    return "patch status";
  }

  private String changeFinalizer(ObjectKey key, ApiObject now) {
    if (!now.hasFinalizer(ContractWorld.FINALIZER)) {
      remember(key, cluster.update(key.kind(), now.withFinalizer(ContractWorld.FINALIZER)));
      return "add finalizer";
    }
    ApiObject last = cluster.update(key.kind(), now.withoutFinalizer(ContractWorld.FINALIZER));
    if (now.isDeleting()) {
      model.remove(key);
      return "finish deletion";
    }
    remember(key, last);
    return "remove finalizer";
  }

  private String delete(ObjectKey key, ApiObject now) {
    cluster.delete(key.kind(), now, Deletion.BACKGROUND);
    if (now.hasFinalizer(ContractWorld.FINALIZER)) {
      ApiObject deleting = cluster.get(key).orElseThrow();
      assertThat(deleting.isDeleting()).as("%s is being deleted", key).isTrue();
      assertThat(deleting.uid()).isEqualTo(now.uid());
      remember(key, deleting);
      return "begin deletion";
    }
    model.remove(key);
    return "delete";
  }

  private String writeStale(ObjectKey key, Optional<ApiObject> now) {
    List<ApiObject> seen = past.getOrDefault(key, List.of());
    if (seen.isEmpty()) {
      return "nothing";
    }
    ApiObject stale = pick(seen);
    Reason reason = now.isEmpty() ? Reason.NOT_FOUND : Reason.CONFLICT;
    if (!now.map(ApiObject::resourceVersion).equals(Optional.of(stale.resourceVersion()))) {
      ApiObject changed = stale.withAnnotation("stale", "yes");
      ContractWorld.assertRefused(reason, () -> cluster.update(key.kind(), changed));
    }
    if (!now.map(ApiObject::uid).equals(Optional.of(stale.uid()))) {
      ContractWorld.assertRefused(
          reason, () -> cluster.delete(key.kind(), stale, Deletion.BACKGROUND));
    }
    return "write stale";
  }

  private void remember(ObjectKey key, ApiObject object) {
    model.put(key, object);
    past.computeIfAbsent(key, _ -> new ArrayList<>()).add(object);
  }

  private void assertReadsAgree(String when) {
    for (ResourceKind kind : KINDS) {
      for (String namespace : namespaces) {
        assertThat(items(cluster.list(kind, namespace)))
            .as(when)
            .isEqualTo(expected(kind, namespace));
        for (String name : NAMES) {
          ObjectKey key = kind.key(namespace, name);
          assertThat(cluster.get(key)).as(when).isEqualTo(Optional.ofNullable(model.get(key)));
        }
      }
    }
  }

  private static List<ApiObject> items(List<ApiObject> objects) {
    return objects.stream().filter(object -> NAMES.contains(object.name())).toList();
  }

  private List<ApiObject> expected(ResourceKind kind, String namespace) {
    return model.entrySet().stream()
        .filter(entry -> entry.getKey().kind().equals(kind))
        .filter(entry -> entry.getKey().namespace().equals(namespace))
        .map(Map.Entry::getValue)
        .toList();
  }

  /** Checks that the events of a watch add up to the existing objects. */
  void assertTold(ResourceKind kind, SortedMap<ObjectKey, ApiObject> told) {
    var items = new TreeMap<>(told);
    items.keySet().removeIf(key -> !NAMES.contains(key.name()));
    var expected = new TreeMap<>(model);
    expected.keySet().removeIf(key -> !key.kind().equals(kind));
    assertThat(items)
        .as("seed %d: what the watch of %s adds up to", seed, kind)
        .isEqualTo(expected);
  }
}
