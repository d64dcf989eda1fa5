package dev.sluice.controllers.nodes.template;

import dev.sluice.model.GoDuration;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Value;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.SortedMap;

/** sprig's functions on timestamps, which are RFC 3339 strings in UTC in templates. */
final class TimeFunctions {
  /** The parts of Go's example-based layouts, with Java's patterns for them. */
  private static final String[][] LAYOUT = {
    {"2006", "uuuu"},
    {"January", "MMMM"},
    {"Jan", "MMM"},
    {"Monday", "EEEE"},
    {"Mon", "EEE"},
    {"Z07:00", "XXX"},
    {"-07:00", "xxx"},
    {"-0700", "xx"},
    {"MST", "'UTC'"},
    {"PM", "a"},
    {".000000000", ".SSSSSSSSS"},
    {".000000", ".SSSSSS"},
    {".000", ".SSS"},
    {"01", "MM"},
    {"02", "dd"},
    {"15", "HH"},
    {"03", "hh"},
    {"04", "mm"},
    {"05", "ss"},
    {"06", "uu"},
    {"_2", "ppd"},
    {"1", "M"},
    {"2", "d"},
    {"3", "h"},
    {"4", "m"},
    {"5", "s"}
  };

  private TimeFunctions() {}

  static SortedMap<String, TemplateFunction> all() {
    return new Catalog()
        .add("date", 2, a -> new Value.Text(formatted(a.text(0), moment(a.value(1)))))
        .add("dateModify", 2, a -> text(moment(a.value(1)).plus(duration(a.text(0)))))
        .add("date_modify", 2, a -> text(moment(a.value(1)).plus(duration(a.text(0)))))
        .add("unixEpoch", 1, a -> new Value.Text("" + moment(a.value(0)).getEpochSecond()))
        .add("duration", 1, a -> new Value.Text(seconds(a)))
        .functions();
  }

  private static String seconds(Arguments a) {
    return GoDuration.format(
        a.whole(0).multiply(java.math.BigInteger.valueOf(1_000_000_000)).longValue());
  }

  private static Value text(Instant moment) {
    return new Value.Text(moment.toString());
  }

  private static Instant moment(Value value) {
    return value instanceof Value.Whole(long seconds)
        ? Instant.ofEpochSecond(seconds)
        : Timestamps.parse(value.asText())
            .orElseThrow(() -> new TemplateException(value + " is no moment"));
  }

  private static Duration duration(String text) {
    boolean negative = text.startsWith("-");
    Duration size =
        GoDuration.parse(negative ? text.substring(1) : text)
            .orElseThrow(() -> new TemplateException(GoText.quote(text) + " is no duration"));
    return negative ? size.negated() : size;
  }

  private static String formatted(String layout, Instant moment) {
    var format = new DateTimeFormatterBuilder();
    int at = 0;
    while (at < layout.length()) {
      at += part(layout, at, format);
    }
    return format.toFormatter(Locale.ENGLISH).withZone(ZoneOffset.UTC).format(moment);
  }

  /** Appends the part at a position; returns its length. */
  private static int part(String layout, int at, DateTimeFormatterBuilder format) {
    for (String[] part : LAYOUT) {
      if (layout.startsWith(part[0], at)) {
        format.appendPattern(part[1]);
        return part[0].length();
      }
    }
    format.appendLiteral(layout.charAt(at));
    return 1;
  }
}
