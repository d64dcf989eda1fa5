package dev.sluice.store;

import static dev.sluice.store.Samples.object;
import static dev.sluice.store.Samples.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableStoreTest extends StoreContract {
  @TempDir Path directory;

  @Override
  Store open() {
    return Stores.open(directory, HISTORY);
  }

  @Test
  void anObjectThatCouldNotBeReadAgainIsRefused() {
    ObjectKey key = pod("a", "deep");
    Object nested = "bottom";
    for (int i = 0; i < 600; i++) {
      nested = List.of(nested);
    }
    ApiObject deep = object(key, "1").with(List.of("spec"), nested);
    ApiObject wide = object(key, "1").with(List.of("spec", "n".repeat(60_000)), 1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.put(key, 0, deep))
        .withMessageContaining("pods a/deep cannot be stored");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.put(key, 0, wide))
        .withMessageContaining("pods a/deep cannot be stored");

    assertThat(store.snapshot().revision()).isZero();
    store.close();
    store = open();
  }

  @Test
  void aWriterThatIsInterruptedStillHearsWhatBecameOfItsWrite() {
    Thread.currentThread().interrupt();

    assertThat(Samples.add(store, pod("a", "x"), "1")).isEqualTo(1);

    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void equalPartsOfObjectsTakeRoomOnceAlsoAfterAStart() {
    Samples.add(store, pod("a", "x"), "same");
    Samples.add(store, pod("a", "y"), "same");
    assertLabelsAreShared();

    store.close();
    store = open();

    assertLabelsAreShared();
  }

  private void assertLabelsAreShared() {
    Snapshot now = store.snapshot();
    assertThat(now.get(pod("a", "y")).orElseThrow().metadata().at("labels"))
        .isSameAs(now.get(pod("a", "x")).orElseThrow().metadata().at("labels"));
  }
}
