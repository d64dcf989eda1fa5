package dev.sluice.simulator.scenario;

import dev.sluice.model.GoDuration;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** A part of a Scenario object, with the path to it for messages. */
record Section(Tree tree, List<String> path) {

  Section section(String field) {
    return new Section(tree.tree(field), inner(field));
  }

  Section section(String field, int place) {
    var inner = new ArrayList<>(inner(field));
    inner.add(String.valueOf(place));
    return new Section(tree.trees(field).get(place), inner);
  }

  /** What is read of each element of an array. */
  <T> List<T> each(String field, Function<Section, T> reader) {
    var all = new ArrayList<T>();
    for (int i = 0; i < tree.trees(field).size(); i++) {
      all.add(reader.apply(section(field, i)));
    }
    return all;
  }

  String text(String field) {
    return tree.text(field);
  }

  Optional<Duration> time(String field) {
    String text = tree.text(field);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        GoDuration.parse(text)
            .orElseThrow(() -> invalid(field, "\"%s\" is longer than 292 years".formatted(text))));
  }

  OptionalInt count(String field) {
    var whole = tree.whole(field);
    return whole.isPresent() ? OptionalInt.of((int) whole.getAsLong()) : OptionalInt.empty();
  }

  double number(String field) {
    return switch (tree.at(field)) {
      case Value.Whole(long number) -> number;
      case Value.Decimal(BigDecimal number) -> number.doubleValue();
      default -> 0;
    };
  }

  InvalidField invalid(String field, String problem) {
    return new InvalidField(inner(field), problem);
  }

  private List<String> inner(String field) {
    var inner = new ArrayList<>(path);
    inner.add(field);
    return inner;
  }
}
