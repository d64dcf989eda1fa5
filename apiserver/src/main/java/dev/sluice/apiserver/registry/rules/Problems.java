package dev.sluice.apiserver.registry.rules;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ResourceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Collects what is wrong with an object, so that its writer learns of everything at once. */
public final class Problems {
  private final List<Cause> causes = new ArrayList<>();

  public void add(Cause cause) {
    causes.add(cause);
  }

  public void addAll(List<Cause> more) {
    causes.addAll(more);
  }

  public void invalid(String field, Object value, String why) {
    add(Cause.invalid(field, value, why));
  }

  /** Adds a problem unless {@code why} is empty, which stands for "nothing is wrong". */
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
    add(Cause.duplicate(field, value));
  }

  public void notFound(String field, String value) {
    add(new Cause("FieldValueNotFound", field, "Not found: \"" + value + "\""));
  }

  /** Adds a problem if there are more bytes than there may be. */
  public void atMostBytes(String field, long bytes, long most) {
    if (bytes > most) {
      add(
          new Cause(
              "FieldValueTooLong",
              field,
              "Too long: may not be more than %d bytes, but has %d".formatted(most, bytes)));
    }
  }

  /** Adds a problem if the value of a field is below zero. */
  public void notNegative(String field, long value) {
    if (value < 0) {
      invalid(field, value, "must be greater than or equal to 0");
    }
  }

  /** Every key must be a qualified name and every value the value of a label. */
  public void labels(String field, Map<String, String> labels) {
    labels.forEach((key, value) -> {
      invalidIf(Syntax.qualifiedNameProblem(key), field, key);
      invalidIf(Syntax.labelValueProblem(value), field, value);
    });
  }

  /** Adds a problem unless the value is one of the choices. */
  public void oneOf(String field, String value, List<String> choices) {
    if (!choices.contains(value)) {
      add(Cause.notSupported(field, value, choices));
    }
  }

  /** Adds a problem if two values that should be the same differ. */
  public void immutable(String field, Object before, Object after) {
    if (!before.equals(after)) {
      invalid(field, after, "field is immutable");
    }
  }

  public List<Cause> causes() {
    return List.copyOf(causes);
  }

  public boolean isEmpty() {
    return causes.isEmpty();
  }

  /**
   * Refuses the object if anything is wrong with it.
   *
   * @throws ApiException with one cause for every problem
   */
  public void refuse(ResourceKind kind, String name) {
    if (!causes.isEmpty()) {
      throw ApiFailure.invalid(kind, name, causes);
    }
  }
}
