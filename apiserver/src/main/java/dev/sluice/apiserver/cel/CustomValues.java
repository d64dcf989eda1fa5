package dev.sluice.apiserver.cel;

import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.sluice.apiserver.schema.Schema;
import dev.sluice.apiserver.schema.Type;
import dev.sluice.model.GoDuration;
import dev.sluice.model.cel.Weights;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;

/**
 * Values as CEL sees them. Objects and lists are views: the cost of a rule depends on what it
 * reads, not on the size of the object.
 */
final class CustomValues {
  /** The only fields of an object's metadata that rules can read. */
  static final List<String> VISIBLE_METADATA = List.of("generateName", "name");

  private CustomValues() {}

  /** The CEL value of a value that a schema describes. */
  static Object of(Schema schema, Value value) {
    return switch (value) {
      case Tree tree when schema.additionalProperties().isPresent() ->
          new ObjectView.OfMap(schema.additionalProperties().get(), tree);
      case Tree tree -> new ObjectView.OfFields(schema, tree);
      case Items list -> new ListView(schema, list);
      case Value.Text(String text) when schema.type() == Type.STRING -> text(schema.format(), text);
      case Value.Text(String text) -> text;
      case Value.Whole(long number) when schema.type() == Type.NUMBER -> (double) number;
      case Value.Whole(long number) -> number;
      case Value.Decimal(BigDecimal number) when schema.type() == Type.NUMBER ->
          number.doubleValue();
      case Value.Decimal(BigDecimal number) -> number.longValue();
      case Value.Flag flag -> flag == Value.Flag.TRUE;
      case Value.Null _ -> NullValue.NULL_VALUE;
    };
  }

  /** What it costs to traverse a value: strings count by their length, the rest by elements. */
  static long weight(Value value) {
    return switch (value) {
      case Value.Text(String text) -> Weights.of(text);
      case Items(List<Value> items) -> items.stream().mapToLong(item -> 1 + weight(item)).sum();
      case Tree tree -> tree.names().stream().mapToLong(name -> 1 + weight(tree.at(name))).sum();
      case Value.Whole _, Value.Decimal _, Value.Flag _, Value.Null _ -> 0;
    };
  }

  private static Object text(String format, String text) {
    return switch (format) {
      case "byte" -> CelByteString.of(Base64.getDecoder().decode(text));
      case "duration" -> duration(text);
      case "date" -> LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
      case "date-time" -> instant(text);
      default -> text;
    };
  }

  private static Instant instant(String text) {
    return OffsetDateTime.parse(text).toInstant();
  }

  private static Duration duration(String text) {
    return GoDuration.parse(text)
        .orElseThrow(() -> new IllegalArgumentException("\"" + text + "\" is no duration"));
  }
}
