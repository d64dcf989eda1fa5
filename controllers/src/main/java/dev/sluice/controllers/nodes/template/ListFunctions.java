package dev.sluice.controllers.nodes.template;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** sprig's functions on lists and maps, and those that choose among values. */
final class ListFunctions {
  private static final int MAX_LENGTH = 100_000;

  private ListFunctions() {}

  static SortedMap<String, TemplateFunction> all() {
    return addMaps(
            new Catalog()
                .add("default", 1, 2, a -> GoText.isTrue(a.last()) ? a.last() : a.value(0))
                .add("empty", 1, a -> Value.Flag.of(!GoText.isTrue(a.value(0))))
                .add("coalesce", 1, Catalog.ANY, ListFunctions::firstTrue)
                .add("ternary", 3, a -> a.value(GoText.isTrue(a.value(2)) ? 0 : 1))
                .add("fail", 1, ListFunctions::fail)
                .add("list", 0, Catalog.ANY, a -> new Items(a.values()))
                .add("first", 1, a -> end(a.list(0), true))
                .add("last", 1, a -> end(a.list(0), false))
                .add("rest", 1, a -> new Items(without(a.list(0), true)))
                .add("initial", 1, a -> new Items(without(a.list(0), false)))
                .add("append", 2, a -> joined(List.of(a.list(0), List.of(a.value(1)))))
                .add("prepend", 2, a -> joined(List.of(List.of(a.value(1)), a.list(0))))
                .add("concat", 0, Catalog.ANY, ListFunctions::concat)
                .add("reverse", 1, a -> new Items(a.list(0).reversed()))
                .add(
                    "compact",
                    1,
                    a -> new Items(a.list(0).stream().filter(GoText::isTrue).toList()))
                .add("sortAlpha", 1, a -> Items.of(sorted(a.list(0))))
                .add("without", 1, Catalog.ANY, a -> new Items(others(a.list(0), a.from(1))))
                .add("uniq", 1, a -> new Items(a.list(0).stream().distinct().toList()))
                .add("has", 2, a -> Value.Flag.of(a.list(1).contains(a.value(0))))
                .add("until", 1, a -> steps(0, a.size(0), 1))
                .add("untilStep", 3, a -> steps(a.size(0), a.size(1), a.size(2))))
        .functions();
  }

  private static Catalog addMaps(Catalog catalog) {
    return catalog
        .add("dict", 0, Catalog.ANY, ListFunctions::dict)
        .add("get", 2, a -> a.tree(0).has(a.text(1)) ? a.tree(0).at(a.text(1)) : new Value.Text(""))
        .add("set", 3, a -> a.tree(0).with(a.text(1), a.value(2)))
        .add("unset", 2, a -> a.tree(0).without(a.text(1)))
        .add("hasKey", 2, a -> Value.Flag.of(a.tree(0).has(a.text(1))))
        .add("pick", 1, Catalog.ANY, a -> chosen(a, true))
        .add("omit", 1, Catalog.ANY, a -> chosen(a, false))
        .add("deepCopy", 1, a -> a.value(0))
        .add("keys", 1, a -> Items.of(a.tree(0).names()))
        .add("values", 1, ListFunctions::values)
        .add("merge", 1, Catalog.ANY, ListFunctions::merge);
  }

  private static List<String> sorted(List<Value> list) {
    return list.stream().map(GoText::of).sorted().toList();
  }

  private static List<Value> others(List<Value> list, List<Value> unwanted) {
    return list.stream().filter(value -> !unwanted.contains(value)).toList();
  }

  /** The fields with these names, or the others. */
  private static Value chosen(Arguments a, boolean wanted) {
    List<String> named = a.from(1).stream().map(GoText::of).toList();
    Tree chosen = a.tree(0);
    for (String name : chosen.names()) {
      chosen = named.contains(name) == wanted ? chosen : chosen.without(name);
    }
    return chosen;
  }

  private static Value firstTrue(Arguments a) {
    return a.values().stream().filter(GoText::isTrue).findFirst().orElse(Value.Null.NULL);
  }

  private static Value fail(Arguments a) {
    throw new TemplateException(a.text(0));
  }

  private static Value end(List<Value> list, boolean first) {
    return list.isEmpty() ? Value.Null.NULL : first ? list.getFirst() : list.getLast();
  }

  private static List<Value> without(List<Value> list, boolean first) {
    if (list.isEmpty()) {
      return list;
    }
    return first ? list.subList(1, list.size()) : list.subList(0, list.size() - 1);
  }

  private static Value concat(Arguments a) {
    var lists = new ArrayList<List<Value>>();
    for (int i = 0; i < a.count(); i++) {
      lists.add(a.list(i));
    }
    return joined(lists);
  }

  private static Value joined(List<List<Value>> lists) {
    long size = lists.stream().mapToLong(List::size).sum();
    checkLength(size);
    return new Items(lists.stream().flatMap(List::stream).toList());
  }

  private static void checkLength(long size) {
    if (size > MAX_LENGTH) {
      throw new TemplateException("a list of %d is too long".formatted(size));
    }
  }

  private static Value steps(int from, int to, int by) {
    var steps = new ArrayList<Value>();
    for (long i = from; by > 0 ? i < to : by < 0 && i > to; i += by) {
      checkLength(steps.size());
      steps.add(new Value.Whole(i));
    }
    return new Items(steps);
  }

  private static Value dict(Arguments a) {
    Tree dict = Tree.EMPTY;
    for (int i = 0; i < a.count(); i += 2) {
      dict = dict.with(a.text(i), i + 1 < a.count() ? a.value(i + 1) : new Value.Text(""));
    }
    return dict;
  }

  private static Value values(Arguments a) {
    Tree tree = a.tree(0);
    return new Items(tree.names().stream().map(name -> tree.at(name)).toList());
  }

  /** An earlier map wins. */
  private static Value merge(Arguments a) {
    Tree merged = Tree.EMPTY;
    for (int i = a.count() - 1; i >= 0; i--) {
      Tree next = a.tree(i);
      for (String name : next.names()) {
        merged = merged.with(name, next.at(name));
      }
    }
    return merged;
  }
}
