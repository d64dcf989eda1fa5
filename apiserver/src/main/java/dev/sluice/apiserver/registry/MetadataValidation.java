package dev.sluice.apiserver.registry;

import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.model.ApiObject;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Map;

/** The validation of an object's metadata. */
final class MetadataValidation {
  static final String ORPHAN = "orphan";
  static final String FOREGROUND = "foregroundDeletion";
  private static final List<String> STANDARD_FINALIZERS = List.of(ORPHAN, FOREGROUND, "kubernetes");
  private static final int MAX_ANNOTATION_BYTES = 256 * 1024;

  private MetadataValidation() {}

  /** Validates the metadata of a new object. */
  static void checkNew(ApiObject object, KindRules rules, ValidationErrors problems) {
    String prefix = object.tree().text("metadata", "generateName");
    if (!prefix.isEmpty()) {
      problems.invalidIf(rules.prefixProblem(prefix), "metadata.generateName", prefix);
    }
    if (object.name().isEmpty()) {
      problems.required("metadata.name", "name or generateName is required");
    } else {
      problems.invalidIf(rules.nameProblem(object.name()), "metadata.name", object.name());
    }
    check(Tree.EMPTY, object, problems);
  }

  /** Validates the metadata of an update. */
  static void checkUpdate(ApiObject before, ApiObject after, ValidationErrors problems) {
    if (before.metadata().equals(after.metadata())) {
      return;
    }
    check(before.metadata(), after, problems);
    List<String> added =
        after.finalizers().stream().filter(name -> !before.hasFinalizer(name)).toList();
    if (before.isDeleting() && !added.isEmpty()) {
      problems.forbidden(
          "metadata.finalizers",
          "no new finalizers can be added if the object is being deleted, found new finalizers "
              + added);
    }
  }

  /** Validates the fields that changed. */
  private static void check(Tree before, ApiObject object, ValidationErrors problems) {
    Tree metadata = object.metadata();
    if (differs(before, metadata, "labels")) {
      problems.labels("metadata.labels", object.labels());
    }
    if (differs(before, metadata, "annotations")) {
      checkAnnotations(metadata.texts("annotations"), problems);
    }
    if (differs(before, metadata, "finalizers")) {
      checkFinalizers(object.finalizers(), problems);
    }
    if (differs(before, metadata, "ownerReferences")) {
      checkOwners(metadata.trees("ownerReferences"), problems);
    }
    problems.notNegative("metadata.generation", object.generation());
  }

  private static boolean differs(Tree before, Tree after, String field) {
    return !before.at(field).equals(after.at(field));
  }

  private static void checkAnnotations(Map<String, String> annotations, ValidationErrors problems) {
    long bytes = 0;
    for (Map.Entry<String, String> annotation : annotations.entrySet()) {
      String key = annotation.getKey();
      bytes += key.length() + annotation.getValue().length();
      problems.invalidIf(NameSyntax.annotationKeyProblem(key), "metadata.annotations", key);
    }
    problems.atMostBytes("metadata.annotations", bytes, MAX_ANNOTATION_BYTES);
  }

  private static void checkFinalizers(List<String> finalizers, ValidationErrors problems) {
    for (String finalizer : finalizers) {
      problems.invalidIf(
          NameSyntax.qualifiedNameProblem(finalizer), "metadata.finalizers", finalizer);
      if (!finalizer.contains("/") && !STANDARD_FINALIZERS.contains(finalizer)) {
        problems.invalid(
            "metadata.finalizers",
            finalizer,
            "name is neither a standard finalizer name nor is it fully qualified");
      }
    }
    if (finalizers.contains(ORPHAN) && finalizers.contains(FOREGROUND)) {
      problems.invalid(
          "metadata.finalizers",
          String.join(",", finalizers),
          "finalizer orphan and foregroundDeletion cannot be both set");
    }
  }

  private static void checkOwners(List<Tree> owners, ValidationErrors problems) {
    String controller = "";
    for (int i = 0; i < owners.size(); i++) {
      Tree owner = owners.get(i);
      String at = "metadata.ownerReferences[" + i + "]";
      for (String field : List.of("apiVersion", "kind", "name", "uid")) {
        if (owner.text(field).isEmpty()) {
          problems.invalid(at + "." + field, "", "must not be empty");
        }
      }
      if (owner.text("kind").equals("Event") && owner.text("apiVersion").equals("v1")) {
        problems.invalid(at, owner, "an Event is disallowed from being an owner");
      }
      if (owner.flag("controller") && !controller.isEmpty()) {
        problems.invalid(
            "metadata.ownerReferences",
            owner,
            "only one reference can have Controller set to true, but found it in %s and %s"
                .formatted(controller, owner.text("name")));
      }
      controller = owner.flag("controller") ? owner.text("name") : controller;
    }
  }
}
