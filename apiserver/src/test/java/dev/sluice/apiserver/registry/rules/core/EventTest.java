package dev.sluice.apiserver.registry.rules.core;

import static dev.sluice.apiserver.registry.World.refused;
import static dev.sluice.apiserver.registry.World.yaml;
import static dev.sluice.model.Kinds.EVENT;
import static dev.sluice.model.Kinds.GROUPED_EVENT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.SampleEvent;
import dev.sluice.apiserver.registry.World;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Events, which two groups serve; what is expected here is what kube-apiserver 1.36 answered. */
class EventTest {
  private static final Tree GOOD = SampleEvent.TREE;

  private final World world = new World();

  private static Tree good(String change) {
    return MergePatch.apply(GOOD, yaml(change));
  }

  private static Tree core(String change) {
    Tree plain = Tree.of("apiVersion", "v1", "kind", "Event", "metadata", Tree.of("name", "e"));
    return MergePatch.apply(plain, yaml(change));
  }

  private ApiObject read(String group) {
    return world
        .registry
        .find(group, "v1", "events")
        .map(kind -> world.registry.in(kind.kind(), world.get(kind.kind(), "e")))
        .orElseThrow();
  }

  @Test
  void bothGroupsShowTheSameEventUnderTheirOwnNames() {
    world.create(GROUPED_EVENT, good("{}"));

    assertThat(read("").tree().without("metadata"))
        .isEqualTo(
            core("""
            eventTime: "2026-11-16T10:00:00.123456Z"
            reportingComponent: example.com/x
            reportingInstance: x-1
            action: Doing
            reason: Done
            type: Normal
            message: hello
            involvedObject: {kind: Pod, namespace: default, name: p}
            """)
                .without("metadata"));
    assertThat(read("events.k8s.io").tree().without("metadata"))
        .isEqualTo(GOOD.without("metadata"));
  }

  @Test
  void whatTheCoreGroupWroteIsShownByTheOther() {
    world.create(
        EVENT,
        core(
            """
            involvedObject: {kind: Pod, namespace: default, name: p}
            message: m
            source: {component: c}
            firstTimestamp: "2026-11-16T10:00:00Z"
            lastTimestamp: "2026-11-16T10:00:01Z"
            count: 2
            """));

    assertThat(read("events.k8s.io").tree().without("metadata"))
        .isEqualTo(
            yaml(
                """
                apiVersion: events.k8s.io/v1
                kind: Event
                regarding: {kind: Pod, namespace: default, name: p}
                note: m
                deprecatedSource: {component: c}
                deprecatedFirstTimestamp: "2026-11-16T10:00:00Z"
                deprecatedLastTimestamp: "2026-11-16T10:00:01Z"
                deprecatedCount: 2
                """));
  }

  record Case(String change, List<String> want) {
    Case(String change, String... want) {
      this(change, List.of(want));
    }
  }

  private static final String BAD_NAME =
      "reportingController: Invalid value: \"%s\": the name part must consist of letters, digits,"
          + " '-', '_' and '.', with a letter or digit at both ends";

  static final List<Case> REFUSED =
      List.of(
          new Case("eventTime: null", "eventTime: Required value"),
          new Case(
              "reportingController: null",
              "reportingController: Required value",
              BAD_NAME.formatted("")),
          new Case("reportingController: not ok", BAD_NAME.formatted("not ok")),
          new Case("reportingInstance: null", "reportingInstance: Required value"),
          new Case("action: null", "action: Required value"),
          new Case("reason: null", "reason: Required value"),
          new Case("type: null", "type: Invalid value: \"\": has invalid value: "),
          new Case("type: Odd", "type: Invalid value: \"\": has invalid value: Odd"),
          new Case(
              "note: " + "x".repeat(1025),
              "message: Invalid value: \"\": can have at most 1024 characters"),
          new Case(
              "action: " + "x".repeat(129),
              "action: Invalid value: \"\": can have at most 128 characters"),
          new Case(
              "reason: " + "x".repeat(129),
              "reason: Invalid value: \"\": can have at most 128 characters"),
          new Case(
              "reportingInstance: " + "x".repeat(129),
              "reportingInstance: Invalid value: \"\": can have at most 128 characters"),
          new Case(
              "series: {count: 1, lastObservedTime: '2026-11-16T10:00:00.000000Z'}",
              "series.count: Invalid value: \"\": should be at least 2"),
          new Case("series: {count: 2}", "series.lastObservedTime: Required value"),
          new Case(
              "{deprecatedCount: 1, deprecatedFirstTimestamp: '2026-11-16T10:00:00Z',"
                  + " deprecatedLastTimestamp: '2026-11-16T10:00:00Z',"
                  + " deprecatedSource: {component: c}}",
              "firstTimestamp: Invalid value: \"\": needs to be unset",
              "lastTimestamp: Invalid value: \"\": needs to be unset",
              "count: Invalid value: \"\": needs to be unset",
              "source: Invalid value: \"\": needs to be unset"));

  @ParameterizedTest
  @FieldSource("REFUSED")
  void aNewEventOfTheGroupMustSayEverything(Case c) {
    var refusal = refused(Reason.INVALID, () -> world.create(GROUPED_EVENT, good(c.change())));

    assertThat(refusal.causes()).extracting(EventTest::text).containsExactlyElementsOf(c.want());
  }

  @ParameterizedTest
  @ValueSource(strings = {"2026-11-16T10:00:00Z", "2026-11-16T10:00:00.5Z", "odd"})
  void aMomentHasSixDigitsAfterItsSecond(String moment) {
    var refusal =
        refused(
            Reason.BAD_REQUEST,
            () -> world.create(GROUPED_EVENT, good("eventTime: '%s'".formatted(moment))));

    assertThat(refusal.message()).contains("eventTime: Invalid value: \"" + moment + "\"");
  }

  private static String text(Cause cause) {
    return cause.field() + ": " + cause.message();
  }

  /** Where an event stands, what it is about, and whether it may. */
  record Place(String namespace, String about, boolean newer, boolean allowed) {}

  static final List<Place> PLACES =
      List.of(
          new Place("default", "default", false, true),
          new Place("default", "other", false, false),
          new Place("default", "", false, true),
          new Place("kube-system", "", false, false),
          new Place("kube-system", "default", false, false),
          new Place("default", "other", true, true),
          new Place("default", "", true, true),
          new Place("kube-system", "", true, true),
          new Place("kube-public", "", true, false));

  @ParameterizedTest
  @FieldSource("PLACES")
  void anEventStandsInTheNamespaceOfWhatItIsAbout(Place place) {
    Tree about = Tree.of("kind", "Pod", "name", "p", "namespace", place.about());
    var kind = world.served(place.newer() ? GROUPED_EVENT : EVENT);
    Tree event =
        place.newer() ? GOOD.with("regarding", about) : core("{}").with("involvedObject", about);
    Runnable create = () -> world.registry.create(kind, place.namespace(), event, world.options);

    if (place.allowed()) {
      create.run();
    } else {
      assertThat(refused(Reason.INVALID, create::run).message())
          .isEqualTo(
              "Event \"e\" is invalid: involvedObject.namespace: Invalid value: \"%s\": does not"
                  + " match event.namespace",
              place.about());
    }
  }

  @Test
  void throughItsGroupOnlyTheSeriesOfAnEventChanges() {
    ApiObject event = world.create(GROUPED_EVENT, good("{}"));
    Tree all =
        yaml(
            "{regarding: {kind: Pod, namespace: default, name: q}, reason: o, note: o, type:"
                + " Warning, eventTime: '2026-11-16T11:00:00.000000Z', action: o, related: {kind:"
                + " x}, reportingController: o, reportingInstance: o, deprecatedCount: 3}");
    var changed = new ApiObject(MergePatch.apply(event.tree(), all));

    assertThat(refused(Reason.INVALID, () -> world.update(GROUPED_EVENT, changed)).causes())
        .allMatch(cause -> cause.message().endsWith("field is immutable"))
        .extracting(Cause::field)
        .containsExactly(
            "involvedObject",
            "reason",
            "message",
            "count",
            "type",
            "eventTime",
            "action",
            "related",
            "reportingController",
            "reportingInstance");
    assertThat(
            refused(
                    Reason.INVALID,
                    () ->
                        world.patch(
                            GROUPED_EVENT, "e", tree -> tree.with("series", Tree.of("count", 1))))
                .causes())
        .extracting(EventTest::text)
        .containsExactly(
            "series.count: Invalid value: \"\": should be at least 2",
            "series.lastObservedTime: Required value");
    Tree series = Tree.of("count", 2, "lastObservedTime", "2026-11-16T10:00:01.000000Z");
    assertThat(
            world
                .patch(GROUPED_EVENT, "e", tree -> tree.with("series", series))
                .tree()
                .at("series"))
        .isEqualTo(series);
    assertThat(world.patch(EVENT, "e", tree -> tree.with("message", "new")).tree().text("message"))
        .isEqualTo("new");
  }

  @Test
  void anEventOfTheCoreGroupMayGetASeriesThroughTheOther() {
    world.create(EVENT, core("{involvedObject: {namespace: default}, count: 4}"));
    Tree series = Tree.of("count", 2, "lastObservedTime", "2026-11-16T10:00:01.000000Z");

    world.patch(GROUPED_EVENT, "e", tree -> tree.with("series", series));

    assertThat(world.get(EVENT, "e").tree().at("series")).isEqualTo(series);
  }

  @Test
  void replacingCreatesAndDeletingDeletesInEitherGroup() {
    world.update(GROUPED_EVENT, new ApiObject(good("metadata: {namespace: default}")));
    assertThat(world.find(EVENT, "e")).isPresent();

    world.delete(GROUPED_EVENT, "e");
    assertThat(world.find(EVENT, "e")).isEmpty();
  }
}
