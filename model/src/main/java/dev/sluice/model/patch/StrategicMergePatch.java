package dev.sluice.model.patch;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.patch.MergeStyle.Directive;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Value.Null;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Kubernetes' strategic merge patch: a merge patch in which some lists merge by a key too.
 *
 * <p>The schema defines which lists do, and by which key. A patch may contain directives: {@code
 * $patch} (replace, delete or merge), {@code $retainKeys}, {@code $setElementOrder/field} and
 * {@code $deleteFromPrimitiveList/field}. No directive and no null of a patch ends up in the
 * result.
 */
public record StrategicMergePatch(MergeStyle style) {
  private static final String PATCH = "$patch";
  private static final String RETAIN_KEYS = "$retainKeys";
  private static final String ELEMENT_ORDER = "$setElementOrder/";
  private static final String DELETE_PRIMITIVES = "$deleteFromPrimitiveList/";

  /** The tree after the patch; the same instance if the patch changes nothing. */
  public Tree apply(Tree target, Value patch, MergeRules rules) {
    if (patch instanceof Tree changes) {
      return merge(target, changes, rules);
    }
    throw malformed("it must be an object of changes, but it is " + patch);
  }

  Tree merge(Tree target, Tree patch, MergeRules rules) {
    return switch (style.ofObject(patch)) {
      case MERGE -> mergeFields(retained(target, patch), patch, rules);
      case REPLACE -> fresh(patch.without(PATCH), rules).asTree();
      case DELETE -> Tree.EMPTY;
    };
  }

  private Tree mergeFields(Tree target, Tree patch, MergeRules rules) {
    Tree merged = target;
    for (String name : fieldsOf(patch)) {
      Value current = merged.at(name);
      Value change = patch.at(name);
      MergeRules field = rules.field(name);
      if (patch.has(name) && change == Null.NULL) {
        merged = merged.without(name);
      } else if (current instanceof Tree old
          && change instanceof Tree changes
          && !field.replacesObject()) {
        merged = merged.with(name, merge(old, changes, field));
      } else if (field.mergesList() && areLists(current, change, patch.has(name))) {
        merged = mergeList(merged, patch, name, field);
      } else if (patch.has(name)) {
        merged = merged.with(name, fresh(change, field));
      }
    }
    return merged;
  }

  private boolean areLists(Value current, Value change, boolean changed) {
    return switch (style) {
      case KUBERNETES -> current instanceof Items && (change instanceof Items || !changed);
      case IN_PLACE -> changed ? change instanceof Items : current instanceof Items;
    };
  }

  private Tree mergeList(Tree target, Tree patch, String name, MergeRules field) {
    List<Value> old = target.items(name);
    var merge = new ListMerge(name, field.mergeKey(), field.elements(), this);
    List<Value> changes = patch.items(name);
    return switch (style) {
      case IN_PLACE ->
          target.with(name, merge.inPlace(old, changes, patch.items(ELEMENT_ORDER + name)));
      case KUBERNETES -> {
        Items list =
            merge.apply(
                old,
                changes,
                list(patch, DELETE_PRIMITIVES + name),
                patch.has(ELEMENT_ORDER + name),
                list(patch, ELEMENT_ORDER + name));
        yield list.values().isEmpty() && !old.isEmpty()
            ? target.without(name)
            : target.with(name, list);
      }
    };
  }

  private static List<Value> list(Tree patch, String directive) {
    if (!patch.has(directive) || patch.at(directive) instanceof Items) {
      return patch.items(directive);
    }
    throw malformed(directive + " must be a list, but it is " + patch.at(directive));
  }

  /** The fields that a patch names, by themselves or in a directive. */
  private static SortedSet<String> fieldsOf(Tree patch) {
    var fields = new TreeSet<String>();
    for (String name : patch.names()) {
      if (name.startsWith(ELEMENT_ORDER) || name.startsWith(DELETE_PRIMITIVES)) {
        fields.add(name.substring(name.indexOf('/') + 1));
      } else if (!isDirective(name)) {
        fields.add(name);
      }
    }
    return fields;
  }

  private static Tree retained(Tree target, Tree patch) {
    if (!patch.has(RETAIN_KEYS)) {
      return target;
    }
    List<Value> kept = list(patch, RETAIN_KEYS);
    for (String name : patch.names()) {
      if (!isDirective(name) && !kept.contains(Value.of(name))) {
        throw malformed("it sets " + name + ", which its $retainKeys do not list: " + kept);
      }
    }
    Tree retained = target;
    for (String name : target.names()) {
      retained = kept.contains(Value.of(name)) ? retained : retained.without(name);
    }
    return retained;
  }

  /** The value of a part of a patch where there is nothing to merge it with. */
  Value fresh(Value patch, MergeRules rules) {
    return switch (patch) {
      case Tree tree when style == MergeStyle.IN_PLACE -> merge(Tree.EMPTY, tree, rules);
      case Tree tree -> {
        Map<String, Value> fields = new TreeMap<>();
        tree.forEach((name, value) -> {
          if (!isDirective(name) && value != Null.NULL) {
            fields.put(name, fresh(value, rules.field(name)));
          }
        });
        yield Tree.of(fields);
      }
      case Items(List<Value> items) -> {
        var kept = new ArrayList<Value>();
        for (Value item : items) {
          if (style == MergeStyle.IN_PLACE || style.ofElement(item) == Directive.MERGE) {
            kept.add(fresh(item, rules.elements()));
          }
        }
        yield new Items(kept);
      }
      case Value scalar -> scalar;
    };
  }

  private static boolean isDirective(String name) {
    return name.equals(PATCH)
        || name.equals(RETAIN_KEYS)
        || name.startsWith(ELEMENT_ORDER)
        || name.startsWith(DELETE_PRIMITIVES);
  }

  static ApiException malformed(String why) {
    return ApiFailure.because(
        Reason.BAD_REQUEST, "the strategic merge patch cannot be applied: " + why);
  }
}
