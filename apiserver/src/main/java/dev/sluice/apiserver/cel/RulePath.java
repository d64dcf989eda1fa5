package dev.sluice.apiserver.cel;

import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parser of {@code fieldPath}: the path from a rule to the field it is about. */
final class RulePath {
  private static final Pattern STEP = Pattern.compile("\\.([A-Za-z0-9_-]+)|\\['([^']+)'\\]");

  private RulePath() {}

  /** The field names of a path, none if it is empty; nothing if it leads to no declared field. */
  static Optional<List<String>> parse(String path, Tree schema) {
    var steps = new ArrayList<String>();
    Tree here = schema;
    Matcher step = STEP.matcher(path);
    int end = 0;
    while (end < path.length() && step.find() && step.start() == end) {
      String name = step.group(1) == null ? step.group(2) : step.group(1);
      if (here.at("properties", name) instanceof Tree field) {
        here = field;
      } else if (here.at("additionalProperties") instanceof Tree values) {
        here = values;
      } else {
        return Optional.empty();
      }
      steps.add(name);
      end = step.end();
    }
    return end == path.length() ? Optional.of(steps) : Optional.empty();
  }
}
