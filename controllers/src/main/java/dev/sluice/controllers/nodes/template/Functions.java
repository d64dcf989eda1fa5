package dev.sluice.controllers.nodes.template;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/** The built-in functions of Go's text templates. */
public final class Functions {
  /**
   * The functions of every template: Go's own, and those of sprig that depend on nothing outside.
   */
  public static final SortedMap<String, TemplateFunction> STANDARD = standard();

  private Functions() {}

  private static SortedMap<String, TemplateFunction> standard() {
    var all = new TreeMap<String, TemplateFunction>();
    all.putAll(TextFunctions.all());
    all.putAll(ListFunctions.all());
    all.putAll(NumberFunctions.all());
    all.putAll(TimeFunctions.all());
    all.putAll(own());
    return Collections.unmodifiableSortedMap(all);
  }

  private static SortedMap<String, TemplateFunction> own() {
    return new Catalog()
        // Evaluated by the rendering itself, which skips arguments that it does not need.
        .add("and", 1, Catalog.ANY, Arguments::last)
        .add("or", 1, Catalog.ANY, Arguments::last)
        .add("not", 1, a -> Value.Flag.of(!GoText.isTrue(a.value(0))))
        .add("eq", 2, Catalog.ANY, Functions::equal)
        .add("ne", 2, a -> Value.Flag.of(!same(a.value(0), a.value(1))))
        .add("lt", 2, a -> ordered(a, order -> order < 0))
        .add("le", 2, a -> ordered(a, order -> order <= 0))
        .add("gt", 2, a -> ordered(a, order -> order > 0))
        .add("ge", 2, a -> ordered(a, order -> order >= 0))
        .add("len", 1, Functions::length)
        .add("index", 1, Catalog.ANY, Functions::index)
        .add("slice", 1, 4, Functions::slice)
        .add("print", 0, Catalog.ANY, a -> new Value.Text(printed(a.values())))
        .add("println", 0, Catalog.ANY, a -> new Value.Text(words(a.values()) + "\n"))
        .add("printf", 1, Catalog.ANY, a -> new Value.Text(GoFormat.of(format(a), a.from(1))))
        .add("html", 0, Catalog.ANY, a -> new Value.Text(GoEscapes.html(printedAll(a))))
        .add("js", 0, Catalog.ANY, a -> new Value.Text(GoEscapes.script(printedAll(a))))
        .add("urlquery", 0, Catalog.ANY, a -> new Value.Text(GoEscapes.query(printedAll(a))))
        .functions();
  }

  /** The input of the escaping functions: a single missing value is written as by an action. */
  private static String printedAll(Arguments a) {
    return a.count() == 1 ? GoText.of(a.value(0)) : printed(a.values());
  }

  private static String words(List<Value> values) {
    return String.join(" ", values.stream().map(GoText::inside).toList());
  }

  /** Two adjacent values of which neither is a string are separated by a space. */
  private static String printed(List<Value> values) {
    var text = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      boolean apart =
          i > 0
              && !(values.get(i) instanceof Value.Text)
              && !(values.get(i - 1) instanceof Value.Text);
      text.append(apart ? " " : "").append(GoText.inside(values.get(i)));
    }
    return text.toString();
  }

  private static String format(Arguments a) {
    if (a.value(0) instanceof Value.Text(String format)) {
      return format;
    }
    throw new TemplateException("%s is no format".formatted(a.value(0)));
  }

  private static Value equal(Arguments a) {
    return Value.Flag.of(a.from(1).stream().anyMatch(other -> same(a.value(0), other)));
  }

  private static boolean same(Value one, Value other) {
    boolean numbers = Numbers.is(one) && Numbers.is(other);
    if (!numbers && !isComparable(one, other)) {
      throw new TemplateException("%s and %s cannot be compared".formatted(one, other));
    }
    return numbers
        ? Numbers.decimal(one).compareTo(Numbers.decimal(other)) == 0
        : one.equals(other);
  }

  /**
   * Whether values are of one kind, or one is missing; lists and maps compare only with the latter.
   */
  private static boolean isComparable(Value one, Value other) {
    return one == Value.Null.NULL
        || other == Value.Null.NULL
        || (one.getClass() == other.getClass() && !(one instanceof Value.Container));
  }

  private static Value ordered(Arguments a, IntPredicate wanted) {
    Value one = a.value(0);
    Value other = a.value(1);
    if (one instanceof Value.Text(String before) && other instanceof Value.Text(String after)) {
      return Value.Flag.of(wanted.test(before.compareTo(after)));
    }
    if (Numbers.is(one) && Numbers.is(other)) {
      return Value.Flag.of(wanted.test(Numbers.decimal(one).compareTo(Numbers.decimal(other))));
    }
    throw new TemplateException("%s and %s cannot be compared".formatted(one, other));
  }

  private static Value length(Arguments a) {
    return new Value.Whole(
        switch (a.value(0)) {
          case Value.Text(String text) -> text.getBytes(StandardCharsets.UTF_8).length;
          case Items(List<Value> items) -> items.size();
          case Tree tree -> tree.size();
          case Value other -> throw new TemplateException(other + " has no length");
        });
  }

  private static Value index(Arguments a) {
    Value value = a.value(0);
    for (Value key : a.from(1)) {
      value =
          switch (value) {
            case Tree tree -> tree.at(name(key));
            case Items(List<Value> items) -> items.get(position(key, items.size()));
            case Value.Text(String text) -> letter(text, key);
            case Value other ->
                throw new TemplateException("%s has nothing at %s".formatted(other, key));
          };
    }
    return value;
  }

  private static String name(Value key) {
    if (key instanceof Value.Text(String name)) {
      return name;
    }
    throw new TemplateException("%s is no name of a field".formatted(key));
  }

  private static Value letter(String text, Value key) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new Value.Whole(Byte.toUnsignedInt(bytes[position(key, bytes.length)]));
  }

  private static int position(Value key, int size) {
    if (key instanceof Value.Whole(long at) && at >= 0 && at < size) {
      return (int) at;
    }
    throw new TemplateException("index out of range: %s of %d".formatted(key, size));
  }

  private static Value slice(Arguments a) {
    int from = a.count() > 1 ? bound(a.value(1)) : 0;
    return switch (a.value(0)) {
      case Value.Text(String text) when a.count() <= 3 -> {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int to = a.count() > 2 ? bound(a.value(2)) : bytes.length;
        checkSlice(from, to, bytes.length);
        yield new Value.Text(new String(bytes, from, to - from, StandardCharsets.UTF_8));
      }
      case Items(List<Value> list) -> {
        int most = a.count() > 3 ? bound(a.value(3)) : list.size();
        int to = a.count() > 2 ? bound(a.value(2)) : list.size();
        checkSlice(from, to, most);
        checkSlice(to, most, list.size());
        yield new Items(list.subList(from, to));
      }
      case Value other -> throw new TemplateException(other + " cannot be sliced so");
    };
  }

  private static int bound(Value value) {
    if (value instanceof Value.Whole(long at) && at >= 0 && at <= Integer.MAX_VALUE) {
      return (int) at;
    }
    throw new TemplateException("%s is no place to slice at".formatted(value));
  }

  private static void checkSlice(int from, int to, int size) {
    if (from < 0 || from > to || to > size) {
      throw new TemplateException("slice %d:%d is out of range of %d".formatted(from, to, size));
    }
  }
}
