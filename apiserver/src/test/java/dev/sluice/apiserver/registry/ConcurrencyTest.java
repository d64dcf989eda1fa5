package dev.sluice.apiserver.registry;

import static dev.sluice.apiserver.registry.Samples.WIDGET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many writers at once. */
@Timeout(60)
class ConcurrencyTest {
  private static final int WRITERS = 8;
  private static final int ROUNDS = 50;

  private final World world = new World();

  /** Runs a task on many threads at once and waits for all of them. */
  private static void together(Runnable task) throws Exception {
    try (var threads = Executors.newFixedThreadPool(WRITERS)) {
      var running = new ArrayList<Future<?>>();
      for (int i = 0; i < WRITERS; i++) {
        running.add(threads.submit(task));
      }
      for (Future<?> one : running) {
        one.get();
      }
    }
  }

  @Test
  void noPatchIsLostAndNoNameIsGivenTwice() throws Exception {
    world.create(Kinds.CONFIG_MAP, Samples.configMap("counter"));
    Tree nameless = Samples.configMap("x").with("metadata", Tree.of("generateName", "n-"));

    together(() -> {
      for (int i = 0; i < ROUNDS; i++) {
        increment();
        world.create(Kinds.CONFIG_MAP, nameless);
      }
    });

    assertThat(world.get(Kinds.CONFIG_MAP, "counter").tree().text("data", "count"))
        .isEqualTo(String.valueOf(WRITERS * ROUNDS));
    List<ApiObject> all = world.store.snapshot().list(Kinds.CONFIG_MAP);
    assertThat(all).hasSize(WRITERS * ROUNDS + 1);
    assertThat(all.stream().map(ApiObject::uid).distinct()).hasSize(all.size());
  }

  private void increment() {
    while (true) {
      try {
        world.patch(
            Kinds.CONFIG_MAP,
            "counter",
            tree -> {
              String count = tree.text("data", "count");
              int next = count.isEmpty() ? 1 : Integer.parseInt(count) + 1;
              return tree.with(List.of("data", "count"), String.valueOf(next));
            });
        return;
      } catch (ApiException lost) {
        assertThat(lost.failure().reason()).isEqualTo(Reason.CONFLICT);
      }
    }
  }

  @RepeatedTest(20)
  void noObjectOutlivesItsDefinition() throws Exception {
    world.create(Kinds.CUSTOM_RESOURCE_DEFINITION, Samples.widgetDefinition());
    ServedKind widgets = world.served(WIDGET);
    var begun = new CountDownLatch(WRITERS);
    Tree nameless = Samples.widget("x").with("metadata", Tree.of("generateName", "w-"));

    try (var deleting = Executors.newSingleThreadExecutor()) {
      Future<Registry.Deleted> deleted =
          deleting.submit(() -> {
            begun.await();
            return world.delete(Kinds.CUSTOM_RESOURCE_DEFINITION, "widgets.example.com");
          });
      together(() -> {
        begun.countDown();
        try {
          for (int i = 0; i < ROUNDS; i++) {
            world.registry.create(widgets, "default", nameless, WriteOptions.INTERNAL);
          }
        } catch (ApiException refused) {
          assertThat(refused.failure().reason()).isIn(Reason.FORBIDDEN, Reason.NOT_FOUND);
        }
      });
      assertThat(deleted.get().object().name()).isEqualTo("widgets.example.com");
    }

    assertThat(world.store.snapshot().list(WIDGET)).isEmpty();
    assertThat(world.store.snapshot().list(Kinds.CUSTOM_RESOURCE_DEFINITION)).isEmpty();
  }
}
