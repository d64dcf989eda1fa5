package dev.sluice.apiserver.cel;

import dev.sluice.apiserver.schema.FieldPath;
import dev.sluice.apiserver.schema.ListType;
import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The compiled rules of a schema, at every level of it.
 *
 * <p>A transition rule runs where the old value is known: for fields, for values of maps and for
 * elements of lists with keys. Any other rule runs unless its value is unchanged, so that an object
 * older than the rule can still be updated elsewhere.
 *
 * <p>Threads: immutable, shared freely.
 */
public final class Rules {
  private final Schema schema;
  private final List<Rule> own;
  private final SortedMap<String, Rules> fields;
  private final Optional<Rules> values;
  private final Optional<Rules> elements;

  /** Whether a rule here or below compares with the old value. */
  private final boolean compares;

  Rules(
      Schema schema,
      List<Rule> own,
      SortedMap<String, Rules> fields,
      Optional<Rules> values,
      Optional<Rules> elements) {
    this.schema = schema;
    this.own = List.copyOf(own);
    this.fields = fields;
    this.values = values;
    this.elements = elements;
    this.compares =
        own.stream().anyMatch(rule -> rule.oldSelf() != Rule.OldSelf.UNUSED)
            || Stream.of(fields.values().stream(), values.stream(), elements.stream())
                .flatMap(below -> below)
                .anyMatch(below -> below.compares);
  }

  /** The rules of a schema without any. */
  static Rules none(Schema schema) {
    return new Rules(
        schema, List.of(), Collections.emptySortedMap(), Optional.empty(), Optional.empty());
  }

  /** Whether there is no rule here or below. */
  boolean isEmpty() {
    return own.isEmpty() && fields.isEmpty() && values.isEmpty() && elements.isEmpty();
  }

  /** The causes for which a new object is invalid. */
  public List<Cause> problems(Tree object) {
    return new Check().run(this, object, null);
  }

  /** The causes for which an updated object is invalid. */
  public List<Cause> problems(Tree before, Tree after) {
    return new Check().run(this, after, before);
  }

  /** One evaluation over one object. */
  private static final class Check {
    private final List<Cause> causes = new ArrayList<>();
    private final Budget budget = new Budget();

    List<Cause> run(Rules rules, Value value, @Nullable Value before) {
      check(rules, value, before, false, FieldPath.ROOT);
      if (budget.isSpent()) {
        causes.add(
            Cause.invalid(
                FieldPath.ROOT.toString(),
                rules.schema.type().word(),
                "the rules of this kind cost more than %d steps for this object; not all were run"
                    .formatted(Budget.MAX_OBJECT)));
      }
      return List.copyOf(causes);
    }

    private void check(
        Rules rules, Value value, @Nullable Value before, boolean keptAbove, FieldPath path) {
      if (value == Value.Null.NULL) {
        return;
      }
      boolean kept = keptAbove || value.equals(before);
      if (kept && !rules.compares) {
        return;
      }
      checkOwn(rules, value, before, kept, path);
      switch (value) {
        case Tree tree -> checkFields(rules, tree, before, kept, path);
        case Items list when rules.elements.isPresent() ->
            checkElements(rules, rules.elements.get(), list, before, kept, path);
        case Value scalar -> {}
      }
    }

    private void checkOwn(
        Rules rules, Value value, @Nullable Value before, boolean kept, FieldPath path) {
      Value known = before == Value.Null.NULL ? null : before;
      for (Rule rule : rules.own) {
        if (rule.applies(known, kept) && !rule.plainlyHolds(value, known) && !budget.isSpent()) {
          Object self = CustomValues.of(rules.schema, value);
          Object old = known == null ? null : CustomValues.of(rules.schema, known);
          rule.check(self, old, path, rules.schema.type().word(), budget).ifPresent(causes::add);
        }
      }
    }

    private void checkFields(
        Rules rules, Tree tree, @Nullable Value before, boolean kept, FieldPath path) {
      Tree old = before instanceof Tree known && !rules.schema.atomicMap() ? known : Tree.EMPTY;
      rules.fields.forEach((name, below) -> {
        if (tree.has(name)) {
          check(below, tree.at(name), fieldOf(old, name), kept, path.child(name));
        }
      });
      if (rules.values.isPresent()) {
        tree.forEach((key, value) ->
            check(rules.values.get(), value, fieldOf(old, key), kept, path.key(key)));
      }
    }

    private static @Nullable Value fieldOf(Tree tree, String name) {
      return tree.has(name) ? tree.at(name) : null;
    }

    private void checkElements(
        Rules rules,
        Rules below,
        Items list,
        @Nullable Value before,
        boolean kept,
        FieldPath path) {
      Map<Value, Value> old = new LinkedHashMap<>();
      if (rules.schema.listType() == ListType.MAP && before instanceof Items(List<Value> items)) {
        items.forEach(item -> old.putIfAbsent(rules.schema.keysOf(item), item));
      }
      for (int i = 0; i < list.values().size(); i++) {
        Value item = list.values().get(i);
        Value itemBefore = old.isEmpty() ? null : old.get(rules.schema.keysOf(item));
        check(below, item, itemBefore, kept, path.index(i));
      }
    }
  }
}
