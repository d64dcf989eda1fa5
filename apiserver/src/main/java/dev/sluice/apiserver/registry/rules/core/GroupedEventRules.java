package dev.sluice.apiserver.registry.rules.core;

import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;

/**
 * The rules of events written through {@code events.k8s.io}: they must have the fields of the new
 * form, and only their series may change. Errors name the fields as they are stored.
 */
public final class GroupedEventRules implements KindRules {
  private static final int SMALLEST_SERIES = 2;
  private static final List<String> OLDER =
      List.of("firstTimestamp", "lastTimestamp", "count", "source");
  private static final List<String> FIXED =
      List.of(
          "involvedObject",
          "reason",
          "message",
          "source",
          "firstTimestamp",
          "lastTimestamp",
          "count",
          "type",
          "eventTime",
          "action",
          "related",
          "reportingComponent",
          "reportingInstance");

  private final EventRules common = EventRules.grouped();

  @Override
  public void check(ApiObject event, ValidationErrors problems) {
    common.check(event, problems);
  }

  @Override
  public void checkNew(ApiObject event, ValidationErrors problems) {
    Tree fields = EventNames.core(event);
    checkSeries(fields, problems);
    if (fields.text("eventTime").isEmpty()) {
      problems.required("eventTime", "");
    }
    String type = fields.text("type");
    if (!type.equals("Normal") && !type.equals("Warning")) {
      problems.invalid("type", "", "has invalid value: " + type);
    }
    for (String field : OLDER) {
      if (isSet(fields, field)) {
        problems.invalid(field, "", "needs to be unset");
      }
    }
  }

  private static boolean isSet(Tree fields, String field) {
    return fields.whole(field).orElse(0) != 0
        || !fields.text(field).isEmpty()
        || !fields.tree(field).isEmpty();
  }

  private static void checkSeries(Tree fields, ValidationErrors problems) {
    Tree series = fields.tree("series");
    if (!fields.has("series")) {
      return;
    }
    if (series.whole("count").orElse(0) < SMALLEST_SERIES) {
      problems.invalid("series.count", "", "should be at least " + SMALLEST_SERIES);
    }
    if (series.text("lastObservedTime").isEmpty()) {
      problems.required("series.lastObservedTime", "");
    }
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after, ValidationErrors problems) {
    Tree old = EventNames.core(before);
    Tree current = EventNames.core(after);
    if (!old.at("series").equals(current.at("series"))) {
      checkSeries(current, problems);
    }
    for (String field : FIXED) {
      String named = field.equals("reportingComponent") ? "reportingController" : field;
      problems.immutable(named, old.at(field), current.at(field));
    }
  }
}
