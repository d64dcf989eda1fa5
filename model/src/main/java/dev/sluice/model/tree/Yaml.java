package dev.sluice.model.tree;

import java.io.StringReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * The YAML form of trees, read as {@code kubectl} does: YAML 1.1 scalars ({@code yes} and {@code
 * on} are booleans, {@code 010} is eight), anchors and merge-free aliases resolved, many documents
 * in one string. A duplicate name in an object is an error.
 */
public final class Yaml {
  private static final int MAX_ALIASES = 100;
  private static final int MAX_DEPTH = 500;
  private static final int MAX_UNFOLDED = 1_000_000;
  private static final BigDecimal MAX_NUMBER = BigDecimal.valueOf(Long.MAX_VALUE);

  private Yaml() {}

  /** The documents in a string, without the empty ones. */
  public static List<Value> parseAll(String yaml) {
    var documents = new ArrayList<Value>();
    try {
      for (Node node : compose(yaml)) {
        Value document = new Reader(Math.max(MAX_UNFOLDED, yaml.length())).read(node);
        if (document != Value.Null.NULL) {
          documents.add(document);
        }
      }
    } catch (MarkedYAMLException malformed) {
      throw new MalformedText(where(malformed.getProblemMark()) + malformed.getProblem());
    } catch (YAMLException malformed) {
      throw new MalformedText(String.valueOf(malformed.getMessage()));
    }
    return List.copyOf(documents);
  }

  /** The nodes of all documents. */
  static Iterable<Node> compose(String yaml) {
    var options = new LoaderOptions();
    options.setMaxAliasesForCollections(MAX_ALIASES);
    options.setNestingDepthLimit(MAX_DEPTH);
    options.setCodePointLimit(Integer.MAX_VALUE);
    return new org.yaml.snakeyaml.Yaml(options).composeAll(new StringReader(yaml));
  }

  /**
   * The line of a value in a string that {@link #parseAll} reads: for messages, so it is looked up
   * only when one is written.
   *
   * @param document the place among the documents that are not empty
   * @param path names of fields and places in arrays; what is missing has the line of its container
   */
  public static int line(String yaml, int document, List<String> path) {
    return YamlLines.line(yaml, document, path);
  }

  /** The value as block-style YAML, for people. */
  public static String write(Value value) {
    var options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setSplitLines(false);
    return new org.yaml.snakeyaml.Yaml(options).dump(plain(value));
  }

  private static @Nullable Object plain(Value value) {
    return switch (value) {
      case Value.Text(String text) -> text;
      case Value.Whole(long number) -> number;
      case Value.Decimal(BigDecimal number) -> number;
      case Value.Flag flag -> flag == Value.Flag.TRUE;
      case Value.Null ignored -> null;
      case Items(List<Value> items) -> items.stream().map(Yaml::plain).toList();
      case Tree tree -> {
        var map = new LinkedHashMap<String, @Nullable Object>();
        tree.forEach((name, child) -> map.put(name, plain(child)));
        yield map;
      }
    };
  }

  private static String where(@Nullable Mark mark) {
    return mark == null
        ? ""
        : "line %d, column %d: ".formatted(mark.getLine() + 1, mark.getColumn() + 1);
  }

  private static final class Reader {
    /** The containers being read, to reject an anchor that contains itself. */
    private final Deque<Node> open = new ArrayDeque<>();

    /**
     * A limit on values: each takes at least one character, so only aliases of aliases can exceed
     * it.
     */
    private int valuesLeft;

    Reader(int mostValues) {
      this.valuesLeft = mostValues;
    }

    Value read(Node node) {
      if (--valuesLeft < 0) {
        throw new MalformedText(where(node.getStartMark()) + "its aliases unfold to too much");
      }
      if (node instanceof ScalarNode scalar) {
        return scalar(scalar);
      }
      if (open.contains(node)) {
        throw new MalformedText(where(node.getStartMark()) + "an anchor contains itself");
      }
      open.push(node);
      Value value =
          node instanceof MappingNode mapping ? tree(mapping) : items((SequenceNode) node);
      open.pop();
      return value;
    }

    private Tree tree(MappingNode mapping) {
      var fields = new TreeBuilder();
      for (NodeTuple entry : mapping.getValue()) {
        if (!(entry.getKeyNode() instanceof ScalarNode key)) {
          throw new MalformedText(where(entry.getKeyNode().getStartMark()) + "a name must be text");
        }
        if (!fields.put(key.getValue(), read(entry.getValueNode()))) {
          throw new MalformedText(
              where(key.getStartMark()) + "the name \"" + key.getValue() + "\" stands twice");
        }
      }
      return fields.build();
    }

    private Items items(SequenceNode sequence) {
      return new Items(sequence.getValue().stream().map(this::read).toList());
    }

    private static Value scalar(ScalarNode scalar) {
      String text = scalar.getValue();
      Tag tag = scalar.getTag();
      if (tag.equals(Tag.NULL)) {
        return Value.Null.NULL;
      }
      if (tag.equals(Tag.BOOL)) {
        return switch (text.toLowerCase(Locale.ROOT)) {
          case "true", "yes", "on", "y" -> Value.Flag.TRUE;
          default -> Value.Flag.FALSE;
        };
      }
      if (tag.equals(Tag.INT)) {
        return whole(text);
      }
      return tag.equals(Tag.FLOAT) ? decimal(text) : new Value.Text(text);
    }

    private static Value whole(String text) {
      if (text.contains(":")) {
        return new Value.Text(text); // YAML's base 60, though users mean a time of day
      }
      String digits = text.replace("_", "");
      boolean negative = digits.startsWith("-");
      digits = negative || digits.startsWith("+") ? digits.substring(1) : digits;
      BigInteger number = unsigned(digits);
      number = negative ? number.negate() : number;
      return number.bitLength() < Long.SIZE
          ? new Value.Whole(number.longValue())
          : new Value.Decimal(new BigDecimal(number));
    }

    private static BigInteger unsigned(String digits) {
      if (digits.startsWith("0x")) {
        return new BigInteger(digits.substring(2), 16);
      }
      if (digits.startsWith("0b")) {
        return new BigInteger(digits.substring(2), 2);
      }
      return digits.length() > 1 && digits.startsWith("0")
          ? new BigInteger(digits, 8)
          : new BigInteger(digits);
    }

    private static Value decimal(String text) {
      try {
        var number = new BigDecimal(text.replace("_", ""));
        boolean whole = number.stripTrailingZeros().scale() <= 0;
        return whole && number.abs().compareTo(MAX_NUMBER) <= 0
            ? new Value.Whole(number.longValueExact()) // kubectl reads 1e3 and 1.0 as whole numbers
            : new Value.Decimal(number);
      } catch (NumberFormatException notFinite) {
        return new Value.Text(text); // .inf and .nan have no JSON form
      }
    }
  }
}
