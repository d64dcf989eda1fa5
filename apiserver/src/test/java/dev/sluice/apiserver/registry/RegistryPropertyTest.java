package dev.sluice.apiserver.registry;

import static dev.sluice.apiserver.registry.Samples.WIDGET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion.Propagation;
import dev.sluice.store.Change;
import dev.sluice.testkit.Seeds;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random writes against a naive model. The model only remembers, for each name, how big the spec
 * is, which finalizers there are and whether the object is being deleted; from that it knows what
 * every write must do. Replay one run with {@code -Dseed=}.
 */
@Timeout(60)
class RegistryPropertyTest {
  private static final int STEPS = 400;
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final List<String> FINALIZERS = List.of("example.com/x", "example.com/y");

  /** What the model knows of one object. */
  private record Known(
      String uid, long generation, long size, Set<String> finalizers, boolean deleting) {}

  private final World world = new World();
  private final Map<String, Known> model = new TreeMap<>();
  private final Set<String> uids = new HashSet<>();
  private final List<Change> changes = world.changes(WIDGET);

  static LongStream seeds() {
    return Seeds.from(1, 20);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyWriteDoesWhatTheModelSays(long seed) {
    var random = new SplittableRandom(seed);
    world.create(Kinds.CUSTOM_RESOURCE_DEFINITION, Samples.widgetDefinition());
    for (int step = 0; step < STEPS; step++) {
      String name = NAMES.get(random.nextInt(NAMES.size()));
      switch (random.nextInt(6)) {
        case 0, 1 -> create(name, random);
        case 2 -> resize(name, 1 + random.nextInt(3));
        case 3 -> changeFinalizers(name, random);
        case 4 -> delete(name);
        default -> report(name, random.nextBoolean());
      }
      assertThat(stored()).as("seed %d, step %d", seed, step).isEqualTo(model.keySet());
    }
    assertWatchIsWhole(seed);
  }

  private Set<String> stored() {
    var names = new TreeSet<String>();
    world.store.snapshot().list(WIDGET).forEach(object -> names.add(object.name()));
    return names;
  }

  private void create(String name, SplittableRandom random) {
    Set<String> finalizers = pick(random);
    ApiObject body = new ApiObject(Samples.widget(name));
    body = finalizers.isEmpty() ? body : body.withMetadata("finalizers", List.copyOf(finalizers));
    Tree tree = body.tree();
    if (model.containsKey(name)) {
      World.refused(Reason.ALREADY_EXISTS, () -> world.create(WIDGET, tree));
      return;
    }
    ApiObject created = world.create(WIDGET, tree);
    assertThat(uids.add(created.uid())).as("a new uid").isTrue();
    assertThat(created.generation()).isEqualTo(1);
    model.put(name, new Known(created.uid(), 1, 3, finalizers, false));
  }

  private static Set<String> pick(SplittableRandom random) {
    var picked = new TreeSet<String>();
    for (String finalizer : FINALIZERS) {
      if (random.nextInt(3) == 0) {
        picked.add(finalizer);
      }
    }
    return picked;
  }

  private void resize(String name, long size) {
    Known known = model.get(name);
    if (known == null) {
      return;
    }
    ApiObject before = world.get(WIDGET, name);
    ApiObject after = world.patch(WIDGET, name, tree -> tree.with(List.of("spec", "size"), size));
    boolean changes = known.size() != size;
    long generation = known.generation() + (changes ? 1 : 0);
    assertThat(after.generation()).isEqualTo(generation);
    assertThat(after.resourceVersion().equals(before.resourceVersion())).isEqualTo(!changes);
    model.put(name, new Known(known.uid(), generation, size, known.finalizers(), known.deleting()));
  }

  private void changeFinalizers(String name, SplittableRandom random) {
    Known known = model.get(name);
    if (known == null) {
      return;
    }
    Set<String> wanted = pick(random);
    ApiObject before = world.get(WIDGET, name);
    ApiObject asked =
        wanted.isEmpty()
            ? before.withoutMetadata("finalizers")
            : before.withMetadata("finalizers", List.copyOf(wanted));
    boolean adds = !known.finalizers().containsAll(wanted);
    if (known.deleting() && adds) {
      World.refused(Reason.INVALID, () -> world.update(WIDGET, asked));
      return;
    }
    ApiObject after = world.update(WIDGET, asked);
    boolean same = known.finalizers().equals(wanted);
    assertThat(after.generation()).as("metadata does not count").isEqualTo(known.generation());
    if (known.deleting() && wanted.isEmpty()) {
      model.remove(name);
    } else {
      assertThat(after.resourceVersion().equals(before.resourceVersion())).isEqualTo(same);
      model.put(
          name, new Known(known.uid(), known.generation(), known.size(), wanted, known.deleting()));
    }
  }

  private void delete(String name) {
    Known known = model.get(name);
    if (known == null) {
      World.refused(Reason.NOT_FOUND, () -> world.delete(WIDGET, name));
      return;
    }
    long revision = world.store.snapshot().revision();
    Registry.Deleted deleted =
        world.delete(WIDGET, name, World.propagation(Propagation.BACKGROUND));
    assertThat(deleted.gone()).isEqualTo(known.finalizers().isEmpty());
    if (deleted.gone()) {
      model.remove(name);
      return;
    }
    assertThat(deleted.object().isDeleting()).isTrue();
    long generation = known.generation() + (known.deleting() ? 0 : 1);
    assertThat(deleted.object().generation()).isEqualTo(generation);
    assertThat(world.store.snapshot().revision()).isEqualTo(revision + (known.deleting() ? 0 : 1));
    model.put(name, new Known(known.uid(), generation, known.size(), known.finalizers(), true));
  }

  private void report(String name, boolean ready) {
    Known known = model.get(name);
    if (known == null) {
      return;
    }
    ApiObject before = world.get(WIDGET, name);
    Tree status = Tree.of("ready", ready);
    ApiObject after = world.updateStatus(WIDGET, before.withStatus(status));
    assertThat(after.generation()).isEqualTo(known.generation());
    assertThat(after.uid()).isEqualTo(known.uid());
    assertThat(after.equals(before)).isEqualTo(before.status().equals(status));
  }

  /** Every change follows from the one before it, revisions grow, and the end is what is stored. */
  private void assertWatchIsWhole(long seed) {
    var seen = new TreeMap<String, ApiObject>();
    long revision = 0;
    for (Change change : changes) {
      assertThat(change.revision()).as("seed %d", seed).isGreaterThan(revision);
      revision = change.revision();
      String name = change.key().name();
      assertThat(change.before()).isEqualTo(Optional.ofNullable(seen.get(name)));
      if (change.after().isPresent()) {
        seen.put(name, change.after().get());
      } else {
        assertUnheld(change.before().orElseThrow());
        seen.remove(name);
      }
    }
    assertThat(List.copyOf(seen.values())).isEqualTo(world.store.snapshot().list(WIDGET));
  }

  /** What goes was either free, or deleted while its last finalizer was taken away. */
  private static void assertUnheld(ApiObject last) {
    assertThat(last.finalizers().isEmpty() || last.isDeleting()).as(last.toString()).isTrue();
  }
}
