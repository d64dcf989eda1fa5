package dev.sluice.model;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One entry of {@code status.conditions}. */
public record Condition(String type, boolean holds, String reason, String message) {

  /** The condition of a type in a status, if there is one. */
  public static Optional<Tree> find(Tree status, String type) {
    for (Value condition : status.items("conditions")) {
      if (condition instanceof Tree found && found.text("type").equals(type)) {
        return Optional.of(found);
      }
    }
    return Optional.empty();
  }

  /** Whether a condition of the status is True. */
  public static boolean holds(Tree status, String type) {
    return find(status, type).map(found -> found.text("status").equals("True")).orElse(false);
  }

  /**
   * The status with this condition in place of the one of its type. The transition time changes
   * only with the condition's status, and an equal condition changes nothing.
   */
  public Tree in(Tree status, Instant now) {
    Optional<Tree> before = find(status, type);
    String word = holds ? "True" : "False";
    String since =
        before
            .filter(old -> old.text("status").equals(word))
            .map(old -> old.text("lastTransitionTime"))
            .orElse(Timestamps.format(now));
    Tree after =
        before
            .orElse(Tree.EMPTY)
            .with("type", type)
            .with("status", word)
            .with("reason", reason)
            .with("message", message)
            .with("lastTransitionTime", since);
    var conditions = new ArrayList<Tree>(status.trees("conditions"));
    if (before.isPresent()) {
      conditions.set(conditions.indexOf(before.get()), after);
    } else {
      conditions.add(after);
    }
    return status.with("conditions", Items.of(conditions));
  }

  /**
   * A new status for an object, in which every condition that changed has the generation of the
   * object as its observed generation.
   */
  public static Tree observed(ApiObject seen, Tree status) {
    List<Tree> before = seen.status().trees("conditions");
    List<Tree> after =
        status.trees("conditions").stream()
            .map(condition ->
                before.contains(condition)
                    ? condition
                    : condition.with("observedGeneration", seen.generation()))
            .toList();
    return after.isEmpty() ? status : status.with("conditions", Items.of(after));
  }

  /** The last transition time of a condition. */
  public static Optional<Instant> since(Tree status, String type) {
    return find(status, type).flatMap(c -> Timestamps.parse(c.text("lastTransitionTime")));
  }

  /** The status without the condition of a type. */
  public static Tree without(Tree status, String type) {
    List<Tree> kept =
        status.trees("conditions").stream()
            .filter(condition -> !condition.text("type").equals(type))
            .toList();
    return status.with("conditions", Items.of(kept));
  }
}
