package dev.sluice.apiserver.registry.rules.definition;

import static dev.sluice.apiserver.registry.rules.Edits.inside;
import static dev.sluice.apiserver.registry.rules.Edits.orElse;

import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.CustomDefinition;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The rules of CustomResourceDefinitions. A new one is served at once, so it is Established when
 * its creation returns, unless its names are taken. A deleted one stays until its objects are
 * removed.
 */
public final class DefinitionRules implements KindRules {
  /** The finalizer that keeps a deleted definition until its objects are removed. */
  public static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

  private final Supplier<List<ApiObject>> definitions;
  private final Predicate<ResourceKind> converted;

  /**
   * @param definitions all current definitions
   * @param converted whether this server itself converts the versions of a kind
   */
  public DefinitionRules(Supplier<List<ApiObject>> definitions, Predicate<ResourceKind> converted) {
    this.definitions = definitions;
    this.converted = converted;
  }

  @Override
  public ApiObject withDefaults(ApiObject definition) {
    Tree spec =
        inside(
            definition.spec(),
            "names",
            names -> {
              String kind = names.text("kind");
              Tree filled = orElse(names, "singular", kind.toLowerCase(Locale.ROOT));
              return orElse(filled, "listKind", kind + "List");
            });
    spec = orElse(spec, "conversion", Tree.of("strategy", "None"));
    return definition.withSpec(spec);
  }

  @Override
  public ApiObject onCreate(ApiObject definition, Instant now) {
    return withStatus(definition.without(List.of("status")), now);
  }

  @Override
  public ApiObject onUpdate(ApiObject before, ApiObject after, Instant now) {
    return before.spec().equals(after.spec()) ? after : withStatus(after, now);
  }

  /**
   * The definition with the status that follows from it and from the names of other definitions.
   */
  public ApiObject withStatus(ApiObject definition, Instant now) {
    Tree status = DefinitionNames.accept(definition, definitions.get(), now);
    var stored = new ArrayList<>(status.textItems("storedVersions"));
    String storage = storageVersion(definition);
    if (!storage.isEmpty() && !stored.contains(storage)) {
      stored.add(storage);
    }
    return definition.withStatus(status.with("storedVersions", stored));
  }

  /** The storage version; empty if the definition has none. */
  public static String storageVersion(ApiObject definition) {
    return definition.spec().trees("versions").stream()
        .filter(version -> version.flag("storage"))
        .map(version -> version.text("name"))
        .findFirst()
        .orElse("");
  }

  @Override
  public void check(ApiObject definition, ValidationErrors problems) {
    boolean convertedHere = converted.test(new CustomDefinition(definition).kind());
    new DefinitionValidation(definition, convertedHere, problems).check();
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after, ValidationErrors problems) {
    Tree old = before.spec();
    Tree current = after.spec();
    problems.immutable("spec.group", old.text("group"), current.text("group"));
    if (Condition.holds(before.status(), "Established")) {
      problems.immutable("spec.scope", old.text("scope"), current.text("scope"));
      problems.immutable(
          "spec.names.plural", old.text("names", "plural"), current.text("names", "plural"));
      problems.immutable(
          "spec.names.kind", old.text("names", "kind"), current.text("names", "kind"));
    }
    checkStored(after, problems);
  }

  @Override
  public void checkStatus(ApiObject before, ApiObject after, ValidationErrors problems) {
    checkStored(after, problems);
  }

  /** Rejects the removal of a version in which objects may be stored. */
  private static void checkStored(ApiObject definition, ValidationErrors problems) {
    List<String> names =
        definition.spec().trees("versions").stream().map(version -> version.text("name")).toList();
    List<String> stored = definition.status().textItems("storedVersions");
    for (int i = 0; i < stored.size(); i++) {
      if (!names.contains(stored.get(i))) {
        problems.invalid(
            "status.storedVersions[" + i + "]", stored.get(i), "must appear in spec.versions");
      }
    }
    if (!stored.contains(storageVersion(definition))) {
      problems.invalid(
          "status.storedVersions",
          stored.toString(),
          "must have the storage version " + storageVersion(definition));
    }
  }

  @Override
  public ApiObject onDelete(ApiObject marked, Instant now) {
    Tree status =
        new Condition(
                "Terminating",
                true,
                "InstanceDeletionInProgress",
                "CustomResource deletion is in progress")
            .in(marked.status(), now);
    return marked.withFinalizer(CLEANUP).withStatus(status);
  }
}
