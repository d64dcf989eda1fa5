package dev.sluice.apiserver.registry.rules.definition;

import dev.sluice.apiserver.registry.rules.Edits;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The acceptance of a definition's names in its group, as its status shows it. */
final class DefinitionNames {

  /** A name that is taken, with the reason for the condition. */
  private record Conflict(String reason, String name) {}

  private DefinitionNames() {}

  /** The status of a definition with the result for its names. */
  static Tree accept(ApiObject definition, List<ApiObject> all, Instant now) {
    Optional<Conflict> conflict = conflict(definition, all);
    if (conflict.isPresent()) {
      return refused(definition.status(), conflict.get(), now);
    }
    Tree status =
        new Condition("NamesAccepted", true, "NoConflicts", "no conflicts found")
            .in(definition.status(), now);
    return new Condition(
            "Established", true, "InitialNamesAccepted", "the initial names have been accepted")
        .in(status, now)
        .with("acceptedNames", definition.spec().tree("names"));
  }

  /** A definition that is served already keeps the names it has. */
  private static Tree refused(Tree before, Conflict conflict, Instant now) {
    String message = "\"%s\" is already in use".formatted(conflict.name());
    Tree status = new Condition("NamesAccepted", false, conflict.reason(), message).in(before, now);
    if (Condition.holds(status, "Established")) {
      return status;
    }
    status =
        new Condition("Established", false, "NotAccepted", "not all names are accepted")
            .in(status, now);
    return Edits.orElse(status, "acceptedNames", Tree.of("kind", "", "plural", ""));
  }

  private static Optional<Conflict> conflict(ApiObject definition, List<ApiObject> all) {
    var resources = new TreeSet<String>();
    var kinds = new TreeSet<String>();
    for (ApiObject other : all) {
      boolean rival =
          !other.name().equals(definition.name())
              && other.spec().text("group").equals(definition.spec().text("group"));
      if (rival) {
        Tree accepted = other.status().tree("acceptedNames");
        resources.add(accepted.text("plural"));
        resources.add(accepted.text("singular"));
        resources.addAll(accepted.textItems("shortNames"));
        kinds.add(accepted.text("kind"));
        kinds.add(accepted.text("listKind"));
      }
    }
    return conflict(definition.spec().tree("names"), resources, kinds);
  }

  private static Optional<Conflict> conflict(Tree names, Set<String> resources, Set<String> kinds) {
    for (String field : List.of("plural", "singular")) {
      if (!names.text(field).isEmpty() && resources.contains(names.text(field))) {
        String reason = field.equals("plural") ? "PluralConflict" : "SingularConflict";
        return Optional.of(new Conflict(reason, names.text(field)));
      }
    }
    for (String shortName : names.textItems("shortNames")) {
      if (resources.contains(shortName)) {
        return Optional.of(new Conflict("ShortNamesConflict", shortName));
      }
    }
    for (String field : List.of("kind", "listKind")) {
      if (!names.text(field).isEmpty() && kinds.contains(names.text(field))) {
        String reason = field.equals("kind") ? "KindConflict" : "ListKindConflict";
        return Optional.of(new Conflict(reason, names.text(field)));
      }
    }
    return Optional.empty();
  }
}
