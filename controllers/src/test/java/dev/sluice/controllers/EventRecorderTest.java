package dev.sluice.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.core.Event;
import dev.sluice.runtime.Deletion;
import dev.sluice.testkit.FakeCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventRecorderTest {
  private final FakeCluster cluster = new FakeCluster(1);
  private final EventRecorder recorder = new EventRecorder(cluster, "tester");
  private final ApiObject about =
      cluster.create(Kinds.CONFIG_MAP, ApiObject.of(Kinds.CONFIG_MAP, "space", "thing"));

  private List<Event> events() {
    return cluster.list(Kinds.EVENT).stream().map(Event::new).toList();
  }

  private void pass(Duration time) {
    cluster.time().after(time, () -> {});
    cluster.time().step();
  }

  @Test
  void eventHasObjectReasonAndReportingComponent() {
    recorder.warning(about, "Broken", "it broke");

    ApiObject event = events().getFirst().object();
    assertThat(event.name()).matches("thing\\.[0-9a-f]{16}");
    assertThat(event.namespace()).isEqualTo("space");
    assertThat(event.tree().text("involvedObject", "uid")).isEqualTo(about.uid());
    assertThat(event.tree().text("involvedObject", "kind")).isEqualTo("ConfigMap");
    assertThat(event.tree().text("type")).isEqualTo("Warning");
    assertThat(event.tree().text("reason")).isEqualTo("Broken");
    assertThat(event.tree().text("message")).isEqualTo("it broke");
    assertThat(event.tree().text("source", "component")).isEqualTo("tester");
    assertThat(event.tree().text("reportingComponent")).isEqualTo("tester");
    assertThat(event.tree().text("firstTimestamp")).isEqualTo("2030-01-01T00:00:00Z");
  }

  @Test
  void repeatedEventRaisesTheCount() {
    recorder.normal(about, "Ticked", "tick");
    pass(Duration.ofSeconds(5));
    recorder.normal(about, "Ticked", "tick");
    recorder.normal(about, "Ticked", "tock");

    assertThat(events()).extracting(Event::count).containsExactlyInAnyOrder(2L, 1L);
    Event twice = events().stream().filter(event -> event.count() == 2).findFirst().orElseThrow();
    assertThat(twice.object().tree().text("lastTimestamp")).isEqualTo("2030-01-01T00:00:05Z");
    assertThat(twice.object().tree().text("firstTimestamp")).isEqualTo("2030-01-01T00:00:00Z");
  }

  @Test
  void deletedEventIsReplacedByANewOne() {
    recorder.normal(about, "Ticked", "tick");
    cluster.delete(Kinds.EVENT, events().getFirst().object(), Deletion.BACKGROUND);
    recorder.normal(about, "Ticked", "tick");

    assertThat(events()).extracting(Event::count).containsExactly(1L);
  }

  @Test
  void eventsAboutManyObjectsAreLimited() {
    for (int i = 0; i < 1100; i++) {
      recorder.normal(about.withMetadata("uid", "storm-" + i), "Admitted", "admitted");
    }
    assertThat(events()).hasSize(1000);

    pass(Duration.ofSeconds(1));
    for (int i = 0; i < 300; i++) {
      recorder.normal(about.withMetadata("uid", "later-" + i), "Admitted", "admitted");
    }
    assertThat(events()).hasSize(1020);
  }

  @Test
  void similarEventsAreCombinedAndThenDropped() {
    for (int i = 0; i < 1000; i++) {
      recorder.normal(about, "Created", "Created pod: p" + i);
    }

    assertThat(events()).hasSize(10);
    Event combined = events().stream().filter(event -> event.count() > 1).findFirst().orElseThrow();
    assertThat(combined.count()).isEqualTo(16);
    assertThat(combined.message()).startsWith("(combined from similar events): ");
  }

  @Test
  void eventsAreWrittenAgainAfterTheInterval() {
    for (int i = 0; i < 30; i++) {
      recorder.normal(about, "Ticked", "tick");
    }
    assertThat(events()).extracting(Event::count).containsExactly(25L);
    pass(Duration.ofMinutes(5));
    recorder.normal(about, "Ticked", "tick");
    recorder.normal(about, "Ticked", "tick");

    assertThat(events()).extracting(Event::count).containsExactly(26L);
  }

  @Test
  void refusedEventIsLostWithoutAnError() {
    cluster.guard((kind, object) -> {
      throw ApiFailure.forbidden(object.key(kind), "no events today");
    });
    recorder.normal(about, "Ticked", "tick");

    assertThat(events()).isEmpty();
  }

  @Test
  void longMessageIsCut() {
    recorder.normal(about, "Talked", "x".repeat(5000));

    assertThat(events().getFirst().message()).hasSize(1024).endsWith("...");
  }

  /** The name of an event begins with the name of its object, cut to the maximum length. */
  @Test
  void eventAboutALongNameHasAValidName() {
    for (String end : List.of(".", "-", ".-", "-.")) {
      String name = "a".repeat(236 - end.length()) + end + "b".repeat(17);
      recorder.normal(about.withMetadata("name", name), "Talked", end);
    }

    assertThat(events()).hasSize(4);
    assertThat(events())
        .allSatisfy(
            event -> assertThat(NameSyntax.subdomainProblem(event.object().name())).isEmpty());
  }
}
