package dev.sluice.simulator.replay;

import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The decisions of one run as lines of JSON, after a line that says of which run.
 *
 * @param decisions one line per decision, in order
 */
public record DecisionFile(Origin origin, List<String> decisions) {
  private static final String RUN = "run";

  public DecisionFile {
    decisions = List.copyOf(decisions);
  }

  /**
   * The run that took the decisions.
   *
   * @param scenario the file of the scenario
   * @param sha256 of the content of that file
   * @param variant empty for a scenario without variants
   * @param version of the program
   */
  public record Origin(String scenario, String sha256, String variant, long seed, String version) {

    private Tree tree() {
      return Tree.of("scenario", scenario, "sha256", sha256, "variant", variant)
          .with("seed", seed)
          .with("version", version);
    }

    private static Origin of(Tree tree) {
      return new Origin(
          tree.text("scenario"),
          tree.text("sha256"),
          tree.text("variant"),
          tree.whole("seed").orElse(1),
          tree.text("version"));
    }
  }

  /** The file of a run. */
  public static DecisionFile of(Origin origin, List<Tree> decisions) {
    return new DecisionFile(origin, decisions.stream().map(Json::write).toList());
  }

  /**
   * Reads a file.
   *
   * @throws MalformedText if its first line does not name a run
   */
  public static DecisionFile parse(List<String> lines) {
    if (!lines.isEmpty()
        && Json.parse(lines.getFirst()) instanceof Tree first
        && first.at(RUN) instanceof Tree origin
        && !origin.text("scenario").isEmpty()) {
      return new DecisionFile(Origin.of(origin), lines.subList(1, lines.size()));
    }
    throw new MalformedText(
        "its first line names no scenario: it is not a decisions.jsonl of 'sluice simulate --out'");
  }

  /** The lines of the file. */
  public List<String> lines() {
    var lines = new ArrayList<String>();
    lines.add(Json.write(Tree.of(RUN, origin.tree())));
    lines.addAll(decisions);
    return lines;
  }

  /**
   * The first line in which another run differs.
   *
   * @param line its number in the file
   * @param before the recorded decision; empty if it took fewer
   * @param now the decision of the other run; empty if that took fewer
   */
  public record Divergence(int line, Optional<Tree> before, Optional<Tree> now) {

    /** The difference in words. */
    public String text() {
      if (before.isEmpty()) {
        return "line %d: the log ends, and the run decides further: %s"
            .formatted(line, Json.write(now.orElseThrow()));
      }
      if (now.isEmpty()) {
        return "line %d: the run ends, and the log goes on: %s"
            .formatted(line, Json.write(before.get()));
      }
      var names = new TreeSet<>(before.get().names());
      names.addAll(now.get().names());
      var differences = new ArrayList<String>();
      for (String name : names) {
        Value was = before.get().at(name);
        Value is = now.get().at(name);
        if (!was.equals(is)) {
          differences.add("%s was %s and is %s".formatted(name, Json.write(was), Json.write(is)));
        }
      }
      return "line %d: %s".formatted(line, String.join("; ", differences));
    }
  }

  /** The first difference to the decisions of another run; empty if there is none. */
  public Optional<Divergence> divergence(List<Tree> others) {
    for (int i = 0; i < Math.max(decisions.size(), others.size()); i++) {
      Optional<String> before =
          i < decisions.size() ? Optional.of(decisions.get(i)) : Optional.empty();
      Optional<Tree> now = i < others.size() ? Optional.of(others.get(i)) : Optional.empty();
      if (!before.equals(now.map(Json::write))) {
        return Optional.of(
            new Divergence(i + 2, before.map(line -> Json.parse(line).asTree()), now));
      }
    }
    return Optional.empty();
  }
}
