package dev.sluice.controllers.nodes.template;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Value.Text;
import dev.sluice.model.tree.Yaml;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;

/** sprig's functions on strings, in which the string to work on comes last. */
final class TextFunctions {
  private static final int MAX_LENGTH = 1 << 20;

  private TextFunctions() {}

  static SortedMap<String, TemplateFunction> all() {
    return addFormats(
            new Catalog()
                .addText("lower", text -> text.toLowerCase(Locale.ROOT))
                .addText("upper", text -> text.toUpperCase(Locale.ROOT))
                .addText("trim", String::strip)
                .addText("toString", text -> text)
                .addText("b64enc", TextFunctions::encode)
                .addText("b64dec", TextFunctions::decode)
                .add("trimPrefix", 2, a -> new Text(withoutPrefix(a.text(1), a.text(0))))
                .add("trimSuffix", 2, a -> new Text(withoutSuffix(a.text(1), a.text(0))))
                .add("contains", 2, a -> Value.Flag.of(a.text(1).contains(a.text(0))))
                .add("hasPrefix", 2, a -> Value.Flag.of(a.text(1).startsWith(a.text(0))))
                .add("hasSuffix", 2, a -> Value.Flag.of(a.text(1).endsWith(a.text(0))))
                .add("replace", 3, a -> new Text(a.text(2).replace(a.text(0), a.text(1))))
                .add("repeat", 2, a -> new Text(repeated(a.text(1), a.size(0))))
                .add("trunc", 2, a -> new Text(truncated(a.text(1), a.size(0))))
                .add("split", 2, TextFunctions::split)
                .add("splitList", 2, a -> Items.of(parts(a.text(1), a.text(0))))
                .add("join", 2, a -> new Text(String.join(a.text(0), texts(a.list(1)))))
                .add("cat", 0, Catalog.ANY, a -> new Text(String.join(" ", texts(a.values())))))
        .functions();
  }

  private static Catalog addFormats(Catalog catalog) {
    return catalog
        .add("Quote", 1, a -> new Text(GoText.quote(a.text(0))))
        .add("quote", 1, Catalog.ANY, a -> new Text(quoted(a.values(), "\"")))
        .add("squote", 1, Catalog.ANY, a -> new Text(quoted(a.values(), "'")))
        .add("indent", 2, a -> new Text(indented(a.text(1), a.size(0))))
        .add("nindent", 2, a -> new Text("\n" + indented(a.text(1), a.size(0))))
        .add("YAML", 1, 2, a -> new Text(yaml(a.value(0), a.count() > 1 ? a.size(1) : 0)))
        .add("toYaml", 1, a -> new Text(Yaml.write(a.value(0)).stripTrailing()))
        .add("toJson", 1, a -> new Text(Json.write(a.value(0))))
        .add("fromJson", 1, a -> read(a.text(0)))
        .add("fromYaml", 1, a -> read(a.text(0)));
  }

  private static String withoutPrefix(String text, String prefix) {
    return text.startsWith(prefix) ? text.substring(prefix.length()) : text;
  }

  private static String withoutSuffix(String text, String suffix) {
    return text.endsWith(suffix) ? text.substring(0, text.length() - suffix.length()) : text;
  }

  private static String repeated(String text, int count) {
    if ((long) text.length() * Math.max(0, count) > MAX_LENGTH) {
      throw new TemplateException("the text would exceed %d characters".formatted(MAX_LENGTH));
    }
    return text.repeat(Math.max(0, count));
  }

  private static String truncated(String text, int length) {
    int kept = Math.min(text.length(), Math.abs(length));
    return length < 0 ? text.substring(text.length() - kept) : text.substring(0, kept);
  }

  private static List<String> parts(String text, String separator) {
    return separator.isEmpty()
        ? text.codePoints().mapToObj(Character::toString).toList()
        : List.of(text.split(java.util.regex.Pattern.quote(separator), -1));
  }

  /** The parts under the names _0, _1 and so on. */
  private static Value split(Arguments a) {
    Tree parts = Tree.EMPTY;
    List<String> found = parts(a.text(1), a.text(0));
    for (int i = 0; i < found.size(); i++) {
      parts = parts.with("_" + i, found.get(i));
    }
    return parts;
  }

  private static List<String> texts(List<Value> values) {
    return values.stream().filter(value -> value != Value.Null.NULL).map(GoText::of).toList();
  }

  private static String quoted(List<Value> values, String quote) {
    return String.join(
        " ",
        texts(values).stream()
            .map(text ->
                quote.equals("\"") ? GoEscapes.quoted(text, '"', false) : quote + text + quote)
            .toList());
  }

  private static String indented(String text, int spaces) {
    String indent = repeated(" ", spaces);
    return indent + text.replace("\n", "\n" + indent);
  }

  /** KWOK's: the second argument is the indentation of all lines, in steps of two spaces. */
  private static String yaml(Value value, int steps) {
    String text = Yaml.write(value).stripTrailing();
    return steps == 0 ? text : "\n" + indented(text, 2 * steps);
  }

  private static String encode(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String decode(String text) {
    try {
      return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      throw new TemplateException(GoText.quote(text) + " is not base64");
    }
  }

  private static Value read(String text) {
    try {
      return Yaml.parseAll(text).stream().findFirst().orElse(Value.Null.NULL);
    } catch (MalformedText malformed) {
      throw new TemplateException(String.valueOf(malformed.getMessage()));
    }
  }
}
