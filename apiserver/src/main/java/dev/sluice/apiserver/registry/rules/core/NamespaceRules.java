package dev.sluice.apiserver.registry.rules.core;

import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.model.ApiObject;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rules of Namespaces. A deleted one is Terminating until its metadata and its spec have no
 * finalizers left; those of the spec change only through the subresource finalize.
 */
public final class NamespaceRules implements KindRules {
  public static final String NAME_LABEL = "kubernetes.io/metadata.name";
  private static final List<String> FINALIZERS = List.of("spec", "finalizers");

  @Override
  public String nameProblem(String name) {
    return NameSyntax.labelProblem(name);
  }

  @Override
  public ApiObject onCreate(ApiObject object, Instant now) {
    List<String> asked = object.tree().textItems("spec", "finalizers");
    List<String> finalizers =
        asked.contains("kubernetes")
            ? asked
            : Stream.concat(asked.stream(), Stream.of("kubernetes")).toList();
    return object
        .with(FINALIZERS, finalizers)
        .withStatus(Tree.of("phase", "Active"))
        .withLabel(NAME_LABEL, object.name());
  }

  @Override
  public ApiObject onUpdate(ApiObject before, ApiObject after, Instant now) {
    return withFinalizersOf(before, after).withLabel(NAME_LABEL, before.name());
  }

  /** A namespace with the finalizers in the spec of another one, and nothing else of it. */
  public static ApiObject withFinalizersOf(ApiObject source, ApiObject namespace) {
    List<String> finalizers = source.tree().textItems("spec", "finalizers");
    return finalizers.isEmpty()
        ? namespace.without(FINALIZERS)
        : namespace.with(FINALIZERS, finalizers);
  }

  @Override
  public void check(ApiObject object, ValidationErrors problems) {
    for (String finalizer : object.tree().textItems("spec", "finalizers")) {
      problems.invalidIf(NameSyntax.qualifiedNameProblem(finalizer), "spec.finalizers", finalizer);
    }
  }

  @Override
  public List<String> holders(ApiObject object) {
    return Stream.concat(
            object.finalizers().stream(), object.tree().textItems("spec", "finalizers").stream())
        .toList();
  }

  @Override
  public ApiObject onDelete(ApiObject marked, Instant now) {
    return marked.with(List.of("status", "phase"), "Terminating");
  }
}
