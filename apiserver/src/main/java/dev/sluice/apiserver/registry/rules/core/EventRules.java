package dev.sluice.apiserver.registry.rules.core;

import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.model.ApiObject;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;

/**
 * The rules of Events: each is in the namespace of the object that it is about. An event with an
 * {@code eventTime} must also name its reporting controller and the action.
 */
public final class EventRules implements KindRules {
  private static final int MAX_CHARACTERS = 128;
  private static final int MAX_MESSAGE = 1024;

  private final String reporter;

  private EventRules(String reporter) {
    this.reporter = reporter;
  }

  /** The rules of events written through the core group. */
  public static EventRules core() {
    return new EventRules("reportingComponent");
  }

  /** The part of {@link GroupedEventRules} that both groups share. */
  static EventRules grouped() {
    return new EventRules("reportingController");
  }

  @Override
  public void check(ApiObject event, ValidationErrors problems) {
    Tree fields = EventNames.core(event);
    boolean newer = !fields.text("eventTime").isEmpty();
    String about = fields.text("involvedObject", "namespace");
    if (!isPlacedRight(event.namespace(), about, newer)) {
      problems.invalid("involvedObject.namespace", about, "does not match event.namespace");
    }
    if (newer) {
      checkReport(fields, problems);
    }
  }

  private static boolean isPlacedRight(String place, String about, boolean newer) {
    if (about.isEmpty()) {
      return place.equals("default") || (newer && place.equals("kube-system"));
    }
    return newer || place.equals(about);
  }

  private void checkReport(Tree fields, ValidationErrors problems) {
    String name = fields.text("reportingComponent");
    if (name.isEmpty()) {
      problems.required(reporter, "");
    }
    problems.invalidIf(NameSyntax.qualifiedNameProblem(name), reporter, name);
    checkWord("reportingInstance", fields, problems);
    checkWord("action", fields, problems);
    checkWord("reason", fields, problems);
    checkLength("message", fields, MAX_MESSAGE, problems);
  }

  private static void checkWord(String field, Tree fields, ValidationErrors problems) {
    if (fields.text(field).isEmpty()) {
      problems.required(field, "");
    }
    checkLength(field, fields, MAX_CHARACTERS, problems);
  }

  private static void checkLength(String field, Tree fields, int max, ValidationErrors problems) {
    if (fields.text(field).length() > max) {
      problems.invalid(field, "", "can have at most " + max + " characters");
    }
  }
}
