package dev.sluice.apiserver.schema;

import dev.sluice.apiserver.deadline.Deadline;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.bounds.ExceededException;
import dev.sluice.model.bounds.Meter;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Value.Null;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The validation of one value by its schema.
 *
 * <p>A value that did not change since {@code before} is skipped: an object written under an older
 * schema can still be updated elsewhere. Elements of lists are compared with the element that had
 * the same keys; other lists are compared whole.
 */
final class Validation {
  /** The limit for one value: about ten seconds. */
  static final long MAX_STEPS = 10_000_000;

  private static final int MAX_CAUSES = 100;

  private final List<Cause> causes = new ArrayList<>();
  private final Meter meter;

  private Validation(Meter meter) {
    this.meter = meter;
  }

  /** The causes for which a value is invalid, up to a hundred of them. */
  static List<Cause> problems(Schema schema, Value value, @Nullable Value before, FieldPath path) {
    var validation = new Validation(new Meter(MAX_STEPS, Deadline::check));
    try {
      return List.copyOf(validation.check(schema, value, before, path));
    } catch (ExceededException exceeded) {
      return List.of(
          Cause.invalid(
              path.toString(),
              schema.type().word(),
              "the patterns and alternatives of the schema take more than %d steps for this value;"
                      .formatted(MAX_STEPS)
                  + " limit the sizes in the schema with maxItems, maxLength and maxProperties"));
    }
  }

  private List<Cause> check(Schema schema, Value value, @Nullable Value before, FieldPath path) {
    if (causes.size() >= MAX_CAUSES || value.equals(before)) {
      return causes;
    }
    if (value == Null.NULL && (schema.nullable() || schema.dropsNulls())) {
      return causes;
    }
    if (!schema.type().accepts(value)) {
      String want = schema.type().word();
      causes.add(Cause.wrongType(path.toString(), Type.wordFor(value), "must be of type " + want));
      return causes;
    }
    for (Constraint constraint : schema.constraints()) {
      constraint.check(value, path, meter, causes::add);
    }
    switch (value) {
      case Tree tree -> checkFields(schema, tree, before, path);
      case Items list -> checkElements(schema, list, before, path);
      case Value scalar -> {}
    }
    checkAlternatives(schema.alternatives(), value, path);
    return causes;
  }

  private void checkFields(Schema schema, Tree tree, @Nullable Value before, FieldPath path) {
    for (String name : schema.required()) {
      if (!tree.has(name)) {
        causes.add(Cause.required(path.child(name).toString(), ""));
      }
    }
    if (schema.isEmbeddedResource()) {
      checkResource(tree, path);
    }
    for (int i = 0; i < tree.size(); i++) {
      String name = tree.nameAt(i);
      Optional<Schema> field = schema.field(name);
      if (field.isPresent()) {
        check(field.get(), tree.valueAt(i), fieldBefore(before, name), path.child(name));
      }
    }
  }

  private static @Nullable Value fieldBefore(@Nullable Value before, String name) {
    return before instanceof Tree tree && tree.has(name) ? tree.at(name) : null;
  }

  private void checkResource(Tree tree, FieldPath path) {
    for (String name : List.of("apiVersion", "kind")) {
      if (tree.text(name).isEmpty()) {
        causes.add(Cause.required(path.child(name).toString(), "it names the embedded object"));
      }
    }
    if (tree.has("metadata") && !(tree.at("metadata") instanceof Tree)) {
      causes.add(
          Cause.wrongType(
              path.child("metadata").toString(),
              Type.wordFor(tree.at("metadata")),
              "must be of type object"));
    }
  }

  private void checkElements(Schema schema, Items list, @Nullable Value before, FieldPath path) {
    if (schema.items().isEmpty()) {
      return;
    }
    Map<Value, Value> beforeByKeys = new LinkedHashMap<>();
    if (schema.listType() == ListType.MAP && before instanceof Items(List<Value> elements)) {
      elements.forEach(element -> beforeByKeys.putIfAbsent(schema.keysOf(element), element));
    }
    Schema element = schema.items().get();
    for (int i = 0; i < list.values().size(); i++) {
      Value item = list.values().get(i);
      Value itemBefore = beforeByKeys.isEmpty() ? null : beforeByKeys.get(schema.keysOf(item));
      check(element, item, itemBefore, path.index(i));
    }
  }

  private void checkAlternatives(Alternatives alternatives, Value value, FieldPath path) {
    for (Schema every : alternatives.allOf()) {
      meter.charge(1);
      check(every, value, null, path);
    }
    if (!alternatives.anyOf().isEmpty() && matching(alternatives.anyOf(), value, path) == 0) {
      refuse(value, path, "must fit at least one of the schemas of anyOf");
    }
    if (!alternatives.oneOf().isEmpty() && matching(alternatives.oneOf(), value, path) != 1) {
      refuse(value, path, "must fit exactly one of the schemas of oneOf");
    }
    if (matching(alternatives.not(), value, path) > 0) {
      refuse(value, path, "must not fit the schema of not");
    }
  }

  private void refuse(Value value, FieldPath path, String why) {
    causes.add(Cause.invalid(path.toString(), value, why));
  }

  private long matching(List<Schema> schemas, Value value, FieldPath path) {
    long count = 0;
    for (Schema schema : schemas) {
      meter.charge(1);
      count += new Validation(meter).check(schema, value, null, path).isEmpty() ? 1 : 0;
    }
    return count;
  }
}
