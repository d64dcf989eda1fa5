package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.runtime.ObjectEvent;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class EventDispatcherTest {
  private static final ApiObject A = ApiObject.of(Kinds.CONFIG_MAP, "default", "a");
  private static final ApiObject B = ApiObject.of(Kinds.CONFIG_MAP, "default", "b");

  private final List<String> told = new CopyOnWriteArrayList<>();

  private void note(ObjectEvent event) {
    told.add(event.type() + " " + event.object().name());
  }

  @Test
  void tellsANewListenerOfWhatExistsAndThenOfChanges() {
    try (var teller = new EventDispatcher("test")) {
      teller.tell(ObjectEvent.added(A));

      teller.join(this::note, List.of(A));
      teller.tell(ObjectEvent.added(B));
      teller.tell(ObjectEvent.deleted(A));

      assertThat(teller.awaitTold()).isTrue();
      assertThat(told).containsExactly("ADDED a", "ADDED b", "DELETED a");
    }
  }

  @Test
  void tellsAClosedListenerNothingMore() {
    try (var teller = new EventDispatcher("test")) {
      var subscription = teller.join(this::note, List.of(A));
      assertThat(teller.awaitTold()).isTrue();

      subscription.close();
      subscription.close();
      teller.tell(ObjectEvent.added(B));

      assertThat(teller.awaitTold()).isTrue();
      assertThat(told).containsExactly("ADDED a");
    }
  }

  @Test
  void aListenerThatFailsDoesNotKeepTheOthersFromHearing() {
    try (var teller = new EventDispatcher("test")) {
      teller.join(
          event -> {
            throw new IllegalStateException("on purpose");
          },
          List.of());
      teller.join(this::note, List.of());

      teller.tell(ObjectEvent.added(A));
      teller.tell(ObjectEvent.added(B));

      assertThat(teller.awaitTold()).isTrue();
      assertThat(told).containsExactly("ADDED a", "ADDED b");
    }
  }

  @Test
  void aListenerThatWaitsForItselfIsRefused() {
    try (var teller = new EventDispatcher("test")) {
      var outcome = new CompletableFuture<Void>();
      teller.join(
          event -> {
            try {
              var _ = teller.awaitTold();
              outcome.complete(null);
            } catch (IllegalStateException refused) {
              outcome.completeExceptionally(refused);
            }
          },
          List.of(A));

      assertThatThrownBy(outcome::join).hasMessageContaining("must not watch the kind");
    }
  }

  @Test
  void closedDispatcherBlocksNoCaller() {
    var teller = new EventDispatcher("test");

    teller.close();
    teller.close();

    assertThat(teller.awaitTold()).isFalse();
  }
}
