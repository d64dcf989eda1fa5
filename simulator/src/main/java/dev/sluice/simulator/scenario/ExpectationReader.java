package dev.sluice.simulator.scenario;

import dev.sluice.model.GoDuration;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.simulator.scenario.Expectation.Bound;
import dev.sluice.simulator.scenario.Expectation.Measure;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads expectations, and refuses those that could not fail or could not hold. */
final class ExpectationReader {
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<String> variants;

  ExpectationReader(List<String> variants) {
    this.variants = variants;
  }

  Expectation read(Section section) {
    List<String> about = section.tree().textItems("variants");
    for (String variant : about) {
      if (!variants.contains(variant)) {
        throw section.invalid("variants", SpecReader.unknown(variant, "variant", variants));
      }
    }
    List<Measure> measures =
        Arrays.stream(Measure.values())
            .filter(measure -> section.tree().has(measure.word()))
            .toList();
    if (measures.size() != 1) {
      throw new InvalidField(
          section.path(),
          "an expectation has exactly one of "
              + String.join(", ", Arrays.stream(Measure.values()).map(Measure::word).toList()));
    }
    return expectation(about, measures.getFirst(), section);
  }

  private static Expectation expectation(List<String> about, Measure measure, Section section) {
    Value value = section.tree().at(measure.word());
    String text = measure.word() + ": " + Json.write(value);
    if (value instanceof Value.Whole(long number)) {
      Optional<Bound> exactly = Optional.of(new Bound(number, false, String.valueOf(number)));
      return new Expectation(text, about, measure, Tree.EMPTY, Optional.empty(), exactly, exactly);
    }
    Section fields = section.section(measure.word());
    Optional<Bound> below = bound(fields, "below");
    Optional<Bound> atMost = bound(fields, "atMost");
    Optional<Bound> atLeast = bound(fields, "atLeast");
    if (below.isEmpty() && atMost.isEmpty() && atLeast.isEmpty()) {
      throw new InvalidField(
          fields.path(), "it has no bound, so it could not fail; write below, atMost or atLeast");
    }
    if (fields.tree().has("percentile") && fields.tree().has("statistic")) {
      throw fields.invalid("statistic", "it has either a percentile or a statistic");
    }
    Optional<Bound> most = below.or(() -> atMost);
    if (atLeast.isPresent() && most.isPresent() && isImpossible(atLeast.get(), most.get(), below)) {
      throw fields.invalid(
          "atLeast",
          "nothing is at least %s and %s %s"
              .formatted(
                  atLeast.get().text(),
                  below.isPresent() ? "below" : "at most",
                  most.get().text()));
    }
    return new Expectation(text, about, measure, fields.tree(), below, atMost, atLeast);
  }

  private static boolean isImpossible(Bound least, Bound most, Optional<Bound> below) {
    return least.relative() == most.relative()
        && (least.value() > most.value() || (below.isPresent() && least.value() == most.value()));
  }

  private static Optional<Bound> bound(Section fields, String name) {
    Value value = fields.tree().at(name);
    return switch (value) {
      case Value.Whole(long number) ->
          Optional.of(new Bound(number, false, String.valueOf(number)));
      case Value.Text(String text) when text.endsWith("%") ->
          Optional.of(
              new Bound(
                  Double.parseDouble(text.substring(0, text.length() - 1)) / 100, true, text));
      case Value.Text(String text) ->
          GoDuration.parse(text)
              .map(time -> new Bound(time.toNanos() / NANOS_PER_SECOND, false, text));
      default -> Optional.empty();
    };
  }
}
