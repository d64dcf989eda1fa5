package dev.sluice.controllers.nodes.template;

import dev.sluice.model.tree.Value;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** A builder of functions, each with the number of its arguments. */
final class Catalog {
  static final int ANY = Integer.MAX_VALUE;

  private final SortedMap<String, TemplateFunction> functions = new TreeMap<>();

  /** Adds a function with so many arguments. */
  Catalog add(String name, int count, Function<Arguments, Value> body) {
    return add(name, count, count, body);
  }

  Catalog add(String name, int least, int most, Function<Arguments, Value> body) {
    functions.put(
        name,
        values -> {
          if (values.size() < least || values.size() > most) {
            throw new TemplateException(wrongCount(values, least, most));
          }
          return body.apply(new Arguments(values));
        });
    return this;
  }

  /** Adds a function from a string to a string. */
  Catalog addText(String name, Function<String, String> body) {
    return add(name, 1, a -> new Value.Text(body.apply(a.text(0))));
  }

  private static String wrongCount(List<Value> values, int least, int most) {
    String wanted =
        most == ANY ? "at least " + least : least == most ? "" + least : least + " to " + most;
    return "wrong number of arguments: wants %s, got %d".formatted(wanted, values.size());
  }

  SortedMap<String, TemplateFunction> functions() {
    return Collections.unmodifiableSortedMap(functions);
  }
}
