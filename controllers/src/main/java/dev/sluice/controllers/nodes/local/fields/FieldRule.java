package dev.sluice.controllers.nodes.local.fields;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The treatment of one field of a pod's spec by the local node.
 *
 * @param field its path below the spec, such as {@code containers[].command}; init containers have
 *     the fields of others, and all probes those of {@code containers[].probe}
 * @param accepts the values that are not refused although the field is
 * @param except these values in words, empty if there are none
 * @param words the effect of the field, or why it is refused
 * @param wayOut what to do about a refusal
 */
public record FieldRule(
    String field,
    Treatment treatment,
    Predicate<Value> accepts,
    String except,
    String words,
    String wayOut) {

  /** Whether a field has its effect, needs none, or cannot have it. */
  public enum Treatment {
    HONOURED,
    HARMLESS,
    REFUSED
  }

  /** Fields that have their effect; several are separated by spaces. */
  static Stream<FieldRule> honoured(String fields, String words) {
    return rules(fields, Treatment.HONOURED, words);
  }

  /** Fields that need no effect on a node that starts processes. */
  static Stream<FieldRule> harmless(String fields, String words) {
    return rules(fields, Treatment.HARMLESS, words);
  }

  private static Stream<FieldRule> rules(String fields, Treatment treatment, String words) {
    return Stream.of(fields.split(" ", -1))
        .map(field -> new FieldRule(field, treatment, FieldRule::isNothing, "", words, ""));
  }

  /** Fields that are refused whatever is in them. */
  static Stream<FieldRule> refused(String fields, String words, String wayOut) {
    return Stream.of(fields.split(" ", -1))
        .map(field ->
            new FieldRule(field, Treatment.REFUSED, FieldRule::isNothing, "", words, wayOut));
  }

  /** The same, refused unless the value is one of these. */
  FieldRule unless(Object... values) {
    List<Value> accepted = Stream.of(values).map(Value::of).toList();
    String shown = String.join(", ", accepted.stream().map(FieldRule::shown).toList());
    return unless(accepted::contains, shown);
  }

  /** The same, refused unless the value is such a one. */
  FieldRule unless(Predicate<Value> accepted, String except) {
    return new FieldRule(field, treatment, accepted, except, words, wayOut);
  }

  private static String shown(Value value) {
    return "`" + (value instanceof Value.Text(String text) ? text : value.toString()) + "`";
  }

  private static boolean isNothing(Value ignored) {
    return false;
  }

  public boolean refuses(Value value) {
    return treatment == Treatment.REFUSED && !isEmpty(value) && !accepts.test(value);
  }

  private static boolean isEmpty(Value value) {
    return switch (value) {
      case Value.Null _ -> true;
      case Value.Text(String text) -> text.isEmpty();
      case Tree tree -> tree.isEmpty();
      case Items items -> items.values().isEmpty();
      case Value.Whole _, Value.Decimal _, Value.Flag _ -> false;
    };
  }

  /** The message about a refused field. */
  public String refusal(String path, Value value) {
    String what = value instanceof Value.Container ? "" : "Unsupported value: " + value + ": ";
    return "%s: %s%s; run the pod on another node, or %s".formatted(path, what, words, wayOut);
  }

  /** The treatment of the field, for the table in the documentation. */
  public String description() {
    return switch (treatment) {
      case HONOURED -> "works: " + words;
      case HARMLESS -> "needs nothing: " + words;
      case REFUSED ->
          "refused%s: %s; %s"
              .formatted(except.isEmpty() ? "" : ", except " + except, words, wayOut);
    };
  }
}
