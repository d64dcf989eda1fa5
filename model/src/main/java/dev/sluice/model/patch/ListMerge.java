package dev.sluice.model.patch;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.patch.MergeStyle.Directive;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Value.Null;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The strategic merge of one list. An element is identified by its key, or by its value in a list
 * of primitives, where {@code key} is empty.
 *
 * <p>Order: the elements in the patch take the patch's order. The others keep theirs, and each
 * comes as early among the patched ones as its old position before the next of them allows. So [G]
 * on [E, F] gives [G, E, F], and [F] on it gives [E, F].
 */
record ListMerge(String field, String key, MergeRules elements, StrategicMergePatch patches) {

  /**
   * The list after a patch in the style of Kubernetes. The elements that the patch lists take the
   * patch's order. The others keep theirs, and each comes as early among the listed ones as its old
   * place before the next of them allows. So [G] on [E, F] gives [G, E, F], and [F] on it gives [E,
   * F].
   */
  Items apply(
      List<Value> old,
      List<Value> patch,
      List<Value> deletions,
      boolean ordered,
      List<Value> order) {
    if (patch.stream().anyMatch(item -> directive(item) == Directive.REPLACE)) {
      return replaced(patch);
    }
    Set<Value> gone = new LinkedHashSet<>(deletions);
    Map<Value, Value> changes = new LinkedHashMap<>();
    for (Value item : patch) {
      if (directive(item) == Directive.DELETE) {
        gone.add(required(item));
      } else {
        changes.put(required(item), item);
      }
    }
    Set<Value> listed = new LinkedHashSet<>(changes.keySet());
    if (ordered) {
      listed = new LinkedHashSet<>(order.stream().map(this::required).toList());
      requireSameOrder(changes.keySet(), listed);
    }
    List<Value> kept = old.stream().filter(item -> !gone.contains(identity(item))).toList();
    return interleaved(old, unlisted(kept, listed), listed(kept, listed, changes));
  }

  private Items replaced(List<Value> patch) {
    return new Items(
        patch.stream()
            .filter(item -> directive(item) == Directive.MERGE)
            .map(item -> patches.fresh(item, elements))
            .toList());
  }

  private Directive directive(Value element) {
    return patches.style().ofElement(element);
  }

  private List<Value> unlisted(List<Value> kept, Set<Value> listed) {
    return kept.stream().filter(item -> !listed.contains(identity(item))).toList();
  }

  private List<Value> listed(List<Value> kept, Set<Value> listed, Map<Value, Value> changes) {
    var result = new ArrayList<Value>();
    for (Value identity : listed) {
      Value change = changes.get(identity);
      boolean merged = false;
      for (Value item : kept) {
        if (identity(item).equals(identity)) {
          // Keys need not be unique: ports that differ only in protocol share one. The first
          // merges.
          result.add(change == null || merged ? item : merge(item, change));
          merged = true;
        }
      }
      if (change != null && !merged) {
        result.add(patches.fresh(change, elements));
      }
    }
    return result;
  }

  private Value merge(Value item, Value change) {
    return item instanceof Tree old && change instanceof Tree changes
        ? patches.merge(old, changes, elements)
        : change;
  }

  private Items interleaved(List<Value> old, List<Value> unlisted, List<Value> listed) {
    Map<Value, Integer> places = new LinkedHashMap<>();
    for (int i = 0; i < old.size(); i++) {
      places.putIfAbsent(identity(old.get(i)), i);
    }
    var result = new ArrayList<Value>(unlisted.size() + listed.size());
    int next = 0;
    for (Value item : listed) {
      int place = places.getOrDefault(identity(item), -1);
      while (next < unlisted.size()
          && places.getOrDefault(identity(unlisted.get(next)), 0) < place) {
        result.add(unlisted.get(next++));
      }
      result.add(item);
    }
    result.addAll(unlisted.subList(next, unlisted.size()));
    return new Items(result);
  }

  private void requireSameOrder(Set<Value> changed, Set<Value> listed) {
    List<Value> expected = listed.stream().filter(changed::contains).toList();
    if (!expected.equals(List.copyOf(changed))) {
      throw StrategicMergePatch.malformed(
          "the elements of %s must all stand in $setElementOrder/%s, in the same order; it lists %s"
              .formatted(field, field, listed));
    }
  }

  /**
   * The list after a patch in place: every element keeps its place and new ones come last. Those
   * that {@code order} names then share out the places that they have in that order.
   */
  Items inPlace(List<Value> old, List<Value> patch, List<Value> order) {
    var merged = new ArrayList<>(old);
    for (Value change : patch) {
      int index = merged.stream().map(this::identity).toList().indexOf(identity(change));
      boolean deleted = directive(change) == Directive.DELETE;
      if (deleted && index >= 0) {
        merged.remove(index);
      } else if (index >= 0) {
        merged.set(index, merge(merged.get(index), change));
      } else if (!deleted) {
        merged.add(patches.fresh(change, elements));
      }
    }
    return ordered(merged, order.stream().map(this::identity).toList());
  }

  private Items ordered(List<Value> merged, List<Value> wanted) {
    var named =
        merged.stream()
            .filter(item -> wanted.contains(identity(item)))
            .sorted(Comparator.comparingInt(item -> wanted.indexOf(identity(item))))
            .iterator();
    return new Items(
        merged.stream()
            .map(item -> wanted.contains(identity(item)) ? named.next() : item)
            .toList());
  }

  private Value identity(Value item) {
    return key.isEmpty() || overlooks(item) ? item : item.asTree().at(key);
  }

  private boolean overlooks(Value item) {
    return patches.style() == MergeStyle.IN_PLACE && !(item instanceof Tree);
  }

  private Value required(Value item) {
    Value identity = identity(item);
    if (identity == Null.NULL) {
      // The real server returns the same error, though the mistake is the client's.
      throw ApiFailure.because(
          Reason.INTERNAL_ERROR,
          "the strategic merge patch cannot be applied: element %s of %s needs its merge key %s"
              .formatted(item, field, key));
    }
    return identity;
  }
}
