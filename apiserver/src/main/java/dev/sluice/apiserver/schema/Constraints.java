package dev.sluice.apiserver.schema;

import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.bounds.LinearPattern;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Value.Decimal;
import dev.sluice.model.tree.Value.Text;
import dev.sluice.model.tree.Value.Whole;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** The constraints of one schema node, parsed from its keywords. */
final class Constraints {
  private final List<Constraint> found = new ArrayList<>();
  private final Tree schema;

  private Constraints(Tree schema) {
    this.schema = schema;
  }

  static List<Constraint> of(Tree schema, ListType listType, List<String> listMapKeys) {
    var constraints = new Constraints(schema);
    constraints.addEnum();
    constraints.addBounds();
    constraints.addTextLimits();
    constraints.addSizes();
    constraints.addUniqueness(listType, listMapKeys);
    return List.copyOf(constraints.found);
  }

  private void addEnum() {
    Set<Value> allowed = new LinkedHashSet<>(schema.items("enum"));
    if (allowed.isEmpty()) {
      return;
    }
    List<String> choices = allowed.stream().map(Constraints::plain).toList();
    found.add((value, path, _, causes) -> {
      if (!allowed.contains(value)) {
        causes.accept(Cause.notSupported(path.toString(), shown(value), choices));
      }
    });
  }

  private void addBounds() {
    boolean above = schema.flag("exclusiveMinimum");
    boolean below = schema.flag("exclusiveMaximum");
    addNumber(
        "minimum",
        (number, limit) -> number.compareTo(limit) >= (above ? 1 : 0),
        above ? "more than " : "at least ");
    addNumber(
        "maximum",
        (number, limit) -> number.compareTo(limit) <= (below ? -1 : 0),
        below ? "less than " : "at most ");
    addNumber(
        "multipleOf",
        (number, unit) -> unit.signum() == 0 || number.remainder(unit).signum() == 0,
        "a multiple of ");
    addRange("int32", Integer.MIN_VALUE, Integer.MAX_VALUE);
    addRange("int64", Long.MIN_VALUE, Long.MAX_VALUE);
  }

  private interface Comparison {
    boolean holds(BigDecimal number, BigDecimal limit);
  }

  private void addNumber(String keyword, Comparison comparison, String words) {
    switch (schema.at(keyword)) {
      case Whole(long limit) -> addNumber(BigDecimal.valueOf(limit), comparison, words);
      case Decimal(BigDecimal limit) -> addNumber(limit, comparison, words);
      case Value ignored -> {}
    }
  }

  private void addNumber(BigDecimal limit, Comparison comparison, String words) {
    String why = "must be " + words + limit.toPlainString();
    found.add((value, path, _, causes) -> {
      boolean holds =
          switch (value) {
            case Whole(long number) -> comparison.holds(BigDecimal.valueOf(number), limit);
            case Decimal(BigDecimal number) -> comparison.holds(number, limit);
            case Value ignored -> true;
          };
      if (!holds) {
        causes.accept(Cause.invalid(path.toString(), shown(value), why));
      }
    });
  }

  private void addRange(String format, long least, long most) {
    if (schema.text("format").equals(format)) {
      addNumber(
          BigDecimal.valueOf(least), (number, limit) -> number.compareTo(limit) >= 0, "at least ");
      addNumber(
          BigDecimal.valueOf(most), (number, limit) -> number.compareTo(limit) <= 0, "at most ");
    }
  }

  private void addTextLimits() {
    schema
        .whole("minLength")
        .ifPresent(least ->
            addText(text -> length(text) >= least, "must have at least " + least + " characters"));
    schema
        .whole("maxLength")
        .ifPresent(most ->
            found.add((value, path, _, causes) -> {
              if (value instanceof Text(String text) && length(text) > most) {
                causes.accept(tooLong(path, most));
              }
            }));
    String pattern = schema.text("pattern");
    if (!pattern.isEmpty()) {
      addPattern(pattern);
    }
    String format = schema.text("format");
    Formats.named(format).ifPresent(fits -> addText(fits, "must be of the format " + format));
  }

  private void addPattern(String pattern) {
    try {
      LinearPattern compiled = LinearPattern.compile(pattern);
      String why = "must match '" + pattern + "'";
      found.add((value, path, meter, causes) -> {
        if (value instanceof Text(String text) && !compiled.find(text, meter)) {
          causes.accept(Cause.invalid(path.toString(), text, why));
        }
      });
    } catch (IllegalArgumentException refusedByStructuralRules) {
      addText(text -> false, "cannot be compared with the malformed pattern '" + pattern + "'");
    }
  }

  private void addText(Predicate<String> fits, String why) {
    found.add((value, path, _, causes) -> {
      if (value instanceof Text(String text) && !fits.test(text)) {
        causes.accept(Cause.invalid(path.toString(), text, why));
      }
    });
  }

  private static Cause tooLong(FieldPath path, long most) {
    return new Cause(
        "FieldValueTooLong",
        path.toString(),
        "Too long: may not have more than " + most + " characters");
  }

  private static long length(String text) {
    return text.codePointCount(0, text.length());
  }

  private void addSizes() {
    addSize("Items", value -> value instanceof Items(List<Value> items) ? items.size() : -1);
    addSize("Properties", value -> value instanceof Tree tree ? tree.size() : -1);
  }

  /** Adds limits of a size; {@code size} is negative for values without one. */
  private void addSize(String what, ToLongFunction<Value> size) {
    OptionalLong min = schema.whole("min" + what);
    OptionalLong max = schema.whole("max" + what);
    if (min.isEmpty() && max.isEmpty()) {
      return;
    }
    long least = min.orElse(0);
    long most = max.orElse(Long.MAX_VALUE);
    String why = "must have at least " + least + (what.equals("Items") ? " items" : " properties");
    found.add((value, path, _, causes) -> {
      long count = size.applyAsLong(value);
      if (count >= 0 && count < least) {
        causes.accept(Cause.invalid(path.toString(), count, why));
      } else if (count > most) {
        causes.accept(Cause.tooMany(path.toString(), count, most));
      }
    });
  }

  private void addUniqueness(ListType listType, List<String> keys) {
    switch (listType) {
      case ATOMIC -> {}
      case SET ->
          found.add((value, path, _, causes) -> checkUnique(value, path, causes, List.of()));
      case MAP -> found.add((value, path, _, causes) -> checkUnique(value, path, causes, keys));
    }
  }

  private static void checkUnique(
      Value value, FieldPath path, Consumer<Cause> causes, List<String> keys) {
    if (!(value instanceof Items(List<Value> items))) {
      return;
    }
    Set<Value> seen = new LinkedHashSet<>();
    for (int i = 0; i < items.size(); i++) {
      Value identity = identity(items.get(i), keys);
      if (!seen.add(identity)) {
        causes.accept(Cause.duplicate(path.index(i).toString(), shown(identity)));
      }
    }
  }

  private static Value identity(Value item, List<String> keys) {
    if (keys.isEmpty()) {
      return item;
    }
    Tree identity = Tree.EMPTY;
    for (String key : keys) {
      identity = item.asTree().has(key) ? identity.with(key, item.asTree().at(key)) : identity;
    }
    return identity;
  }

  private static Object shown(Value value) {
    return value instanceof Text(String text) ? text : value;
  }

  private static String plain(Value value) {
    return value instanceof Text(String text) ? text : value.toString();
  }
}
