package dev.sluice.model;

import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * The validation errors of an object, collected so that the client sees all of them at once. Long
 * values and long lists are shown in part, so that a response stays small.
 */
public final class ValidationErrors {
  private static final int MAX_VALUE = 128;
  private static final int MAX_CAUSES = 100;

  private final List<Cause> causes = new ArrayList<>();

  public void add(Cause cause) {
    causes.add(cause);
  }

  public void addAll(List<Cause> more) {
    causes.addAll(more);
  }

  public void invalid(String field, Object value, String why) {
    add(Cause.invalid(field, shown(value), why));
  }

  /** Adds an error about several fields together, whose value is not shown. */
  public void invalid(String field, String why) {
    add(new Cause("FieldValueInvalid", field, "Invalid value: " + why));
  }

  /** Adds an error if a list has too many items. */
  public void atMostItems(String field, long count, long most) {
    if (count > most) {
      add(Cause.tooMany(field, count, most));
    }
  }

  /** Adds an error unless {@code why} is empty, which stands for "valid". */
  public void invalidIf(String why, String field, Object value) {
    if (!why.isEmpty()) {
      invalid(field, value, why);
    }
  }

  public void required(String field, String why) {
    add(Cause.required(field, why));
  }

  public void forbidden(String field, String why) {
    add(Cause.forbidden(field, why));
  }

  public void duplicate(String field, Object value) {
    add(Cause.duplicate(field, shown(value)));
  }

  public void notFound(String field, String value) {
    add(new Cause("FieldValueNotFound", field, "Not found: \"" + cut(value) + "\""));
  }

  /** Adds an error if a value has too many bytes. */
  public void atMostBytes(String field, long bytes, long most) {
    if (bytes > most) {
      add(
          new Cause(
              "FieldValueTooLong",
              field,
              "Too long: may not be more than %d bytes, but has %d".formatted(most, bytes)));
    }
  }

  /** Adds an error if the value of a field is negative. */
  public void notNegative(String field, long value) {
    if (value < 0) {
      invalid(field, value, "must be greater than or equal to 0");
    }
  }

  /** Validates labels: every key must be a qualified name and every value a label value. */
  public void labels(String field, Map<String, String> labels) {
    labels.forEach((key, value) -> {
      invalidIf(NameSyntax.qualifiedNameProblem(key), field, key);
      invalidIf(NameSyntax.labelValueProblem(value), field, value);
    });
  }

  /** Adds an error unless the value is one of the choices. */
  public void oneOf(String field, String value, List<String> choices) {
    if (!choices.contains(value)) {
      add(Cause.notSupported(field, cut(value), choices));
    }
  }

  /** Adds an error if an immutable string differs. */
  public void immutable(String field, String before, String after) {
    immutable(field, new Value.Text(before), new Value.Text(after));
  }

  /** Adds an error if an immutable value differs in meaning. */
  public void immutable(String field, Value before, Value after) {
    String name = field.substring(field.lastIndexOf('.') + 1);
    if (!SemanticEquality.ofField(name, before, after)) {
      invalid(field, after, "field is immutable");
    }
  }

  private static Object shown(Object value) {
    return switch (value) {
      case String text -> cut(text);
      case Value.Text(String text) -> cut(text);
      case Value.Container container -> cut(container.toString());
      default -> value;
    };
  }

  /** A string, cut to the length that fits a message. */
  public static String cut(String text) {
    return text.length() <= MAX_VALUE ? text : text.substring(0, MAX_VALUE) + "...";
  }

  public List<Cause> causes() {
    return List.copyOf(causes);
  }

  public boolean isEmpty() {
    return causes.isEmpty();
  }

  /**
   * Rejects the object if there are errors.
   *
   * @throws ApiException with one cause for every error, up to a limit
   */
  public void refuse(ResourceKind kind, String name) {
    if (!causes.isEmpty()) {
      throw ApiFailure.invalid(kind, name, readable());
    }
  }

  /**
   * Denies the object if there are errors, as an admission webhook does: what Kueue's webhooks find
   * wrong is forbidden, what its schemas find wrong is invalid.
   *
   * @throws ApiException with one cause for every error, up to a limit
   */
  public void deny(ResourceKind kind, String name) {
    if (!causes.isEmpty()) {
      throw ApiFailure.denied(kind, name, readable());
    }
  }

  private List<Cause> readable() {
    int more = causes.size() - MAX_CAUSES;
    if (more <= 0) {
      return causes;
    }
    var shown = new ArrayList<>(causes.subList(0, MAX_CAUSES));
    String field = causes.get(MAX_CAUSES).field();
    shown.add(new Cause("FieldValueInvalid", field, "and %d more problems".formatted(more)));
    return shown;
  }

  /**
   * Rejects an update that adds errors. Errors that the object had before do not block it: an
   * object that an older rule accepted can still be updated and deleted.
   *
   * @throws ApiException with one cause for every new error, up to a limit
   */
  public void refuseNew(ValidationErrors before, ResourceKind kind, String name) {
    without(before).refuse(kind, name);
  }

  /**
   * Denies an update that adds errors, see {@link #refuseNew}.
   *
   * @throws ApiException with one cause for every new error, up to a limit
   */
  public void denyNew(ValidationErrors before, ResourceKind kind, String name) {
    without(before).deny(kind, name);
  }

  private ValidationErrors without(ValidationErrors before) {
    var known = new LinkedHashSet<>(before.causes);
    var added = new ValidationErrors();
    causes.stream().filter(cause -> !known.contains(cause)).forEach(added::add);
    return added;
  }
}
