package dev.sluice.controllers.configuration.file;

import dev.sluice.model.GoDuration;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * An object of a configuration file while it is read.
 *
 * <p>A field of the wrong type is reported and read as if it were not set, so that all problems are
 * found at once. A field that was never read is unknown, and {@link #end} warns of it.
 */
public final class Section {
  private static final int MAX_SHOWN = 80;

  private final String path;
  private final Tree tree;
  private final Findings findings;
  private final SortedSet<String> known = new TreeSet<>();

  public Section(String path, Tree tree, Findings findings) {
    this.path = path;
    this.tree = tree;
    this.findings = findings;
  }

  /** Whether the field is set; null counts as not set. */
  public boolean has(String name) {
    known.add(name);
    return tree.at(name) != Value.Null.NULL;
  }

  public String text(String name, String fallback) {
    if (!has(name)) {
      return fallback;
    }
    if (tree.at(name) instanceof Value.Text(String text)) {
      return text;
    }
    wrong(name, "%s is not a text; put it in quotes".formatted(shown(name)));
    return fallback;
  }

  /** One of several strings; the first of them if the field is not set. */
  public String choice(String name, String... choices) {
    String text = text(name, choices[0]);
    if (List.of(choices).contains(text)) {
      return text;
    }
    wrong(name, "%s is none of: %s".formatted(shown(name), String.join(", ", choices)));
    return choices[0];
  }

  public boolean flag(String name, boolean fallback) {
    if (!has(name)) {
      return fallback;
    }
    if (tree.at(name) instanceof Value.Flag flag) {
      return flag == Value.Flag.TRUE;
    }
    wrong(name, "%s is neither true nor false".formatted(shown(name)));
    return fallback;
  }

  public int whole(String name, int fallback, int min) {
    return whole(name, fallback, min, Integer.MAX_VALUE);
  }

  public int port(String name, int fallback) {
    return whole(name, fallback, 1, 65_535);
  }

  public int whole(String name, int fallback, int min, int max) {
    if (!has(name)) {
      return fallback;
    }
    if (tree.at(name) instanceof Value.Whole(long number) && number >= min && number <= max) {
      return (int) number;
    }
    wrong(name, "%s is not a whole number from %d to %d".formatted(shown(name), min, max));
    return fallback;
  }

  public Optional<BigDecimal> number(String name) {
    if (!has(name)) {
      return Optional.empty();
    }
    if (tree.at(name) instanceof Value.Whole(long number)) {
      return Optional.of(BigDecimal.valueOf(number));
    }
    if (tree.at(name) instanceof Value.Decimal(BigDecimal number)) {
      return Optional.of(number);
    }
    wrong(name, "%s is not a number".formatted(shown(name)));
    return Optional.empty();
  }

  public Optional<Duration> duration(String name) {
    if (!has(name)) {
      return Optional.empty();
    }
    Optional<Duration> duration = GoDuration.parse(tree.text(name));
    if (duration.isEmpty()) {
      wrong(
          name,
          "%s is not a duration; write it like \"90s\", \"5m\" or \"1h30m\", not negative"
              .formatted(shown(name)));
    }
    return duration;
  }

  public List<String> texts(String name) {
    var texts = new ArrayList<String>();
    List<Value> items = items(name);
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i) instanceof Value.Text(String text)) {
        texts.add(text);
      } else {
        wrong("%s[%d]".formatted(name, i), "%s is not a text".formatted(shown(items.get(i))));
      }
    }
    return List.copyOf(texts);
  }

  /** The object in a field, or an empty one. */
  public Section section(String name) {
    if (has(name) && !(tree.at(name) instanceof Tree)) {
      wrong(name, "%s is not an object".formatted(shown(name)));
    }
    return new Section(path(name), tree.tree(name), findings);
  }

  /** The objects of a list. */
  public List<Section> sections(String name) {
    var sections = new ArrayList<Section>();
    List<Value> items = items(name);
    for (int i = 0; i < items.size(); i++) {
      String item = "%s[%d]".formatted(name, i);
      if (items.get(i) instanceof Tree object) {
        sections.add(new Section(path(item), object, findings));
      } else {
        wrong(item, "%s is not an object".formatted(shown(items.get(i))));
      }
    }
    return List.copyOf(sections);
  }

  private List<Value> items(String name) {
    if (has(name) && !(tree.at(name) instanceof Items)) {
      wrong(name, "%s is not a list".formatted(shown(name)));
    }
    return tree.items(name);
  }

  /** The names of all fields, for objects whose names are data. */
  public List<String> names() {
    return tree.names().stream().filter(this::has).toList();
  }

  public Value value(String name) {
    has(name);
    return tree.at(name);
  }

  public Tree tree() {
    return tree;
  }

  String path(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  public void wrong(String name, String why) {
    findings.wrong(path(name), why);
  }

  public void warn(String name, String why) {
    findings.warn(path(name), why);
  }

  /** Warns of those of these fields that are set: they are known, but have no effect. */
  public void noEffect(String why, String... names) {
    for (String name : names) {
      if (has(name)) {
        warn(name, "has no effect: " + why);
      }
    }
  }

  /** Warns of every field that was not read. */
  public void end() {
    for (String name : tree.names()) {
      if (!known.contains(name)) {
        warn(name, "has no effect: there is no such field" + Suggestion.of(name, known));
      }
    }
  }

  public String shown(String name) {
    return shown(tree.at(name));
  }

  private static String shown(Value value) {
    String text = value.toString();
    return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "…";
  }
}
