package dev.sluice.apiserver.registry.rules.definition;

import dev.sluice.apiserver.cel.SchemaRules;
import dev.sluice.apiserver.schema.FieldPath;
import dev.sluice.apiserver.schema.Schema;
import dev.sluice.apiserver.schema.StructuralRules;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiObject;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** The validation of a CustomResourceDefinition. */
final class DefinitionValidation {
  private static final String APPROVAL = "api-approved.kubernetes.io";
  private static final List<String> COLUMN_TYPES =
      List.of("boolean", "date", "integer", "number", "string");

  private final ApiObject definition;
  private final Tree spec;
  private final boolean convertedHere;
  private final ValidationErrors problems;

  /**
   * @param convertedHere whether this server itself converts the versions of the kind
   */
  DefinitionValidation(ApiObject definition, boolean convertedHere, ValidationErrors problems) {
    this.convertedHere = convertedHere;
    this.definition = definition;
    this.spec = definition.spec();
    this.problems = problems;
  }

  void check() {
    checkGroup();
    checkNames();
    problems.oneOf("spec.scope", spec.text("scope"), List.of("Cluster", "Namespaced"));
    checkConversion();
    checkVersions();
    if (spec.flag("preserveUnknownFields")) {
      problems.invalid(
          "spec.preserveUnknownFields",
          true,
          "must be false; use x-kubernetes-preserve-unknown-fields in the schema instead");
    }
  }

  private void checkGroup() {
    String group = spec.text("group");
    if (group.isEmpty()) {
      problems.required("spec.group", "");
      return;
    }
    problems.invalidIf(NameSyntax.subdomainProblem(group), "spec.group", group);
    if (!group.contains(".")) {
      problems.invalid("spec.group", group, "must be a domain with at least one dot");
    }
    String want = spec.text("names", "plural") + "." + group;
    if (!definition.name().equals(want)) {
      problems.invalid(
          "metadata.name",
          definition.name(),
          "must be spec.names.plural+\".\"+spec.group: " + want);
    }
    boolean ours = group.endsWith(".k8s.io") || group.endsWith(".kubernetes.io");
    if (ours && definition.annotation(APPROVAL).isEmpty()) {
      problems.required(
          "metadata.annotations[" + APPROVAL + "]",
          "the groups of Kubernetes itself need the address of the approval, or \"unapproved\" and"
              + " a reason");
    }
  }

  private void checkNames() {
    Tree names = spec.tree("names");
    for (String field : List.of("plural", "singular")) {
      checkName("spec.names." + field, names.text(field));
    }
    for (String field : List.of("kind", "listKind")) {
      checkName("spec.names." + field, names.text(field).toLowerCase(Locale.ROOT));
    }
    for (String list : List.of("shortNames", "categories")) {
      List<String> words = names.textItems(list);
      for (int i = 0; i < words.size(); i++) {
        problems.invalidIf(
            NameSyntax.labelProblem(words.get(i)),
            "spec.names.%s[%d]".formatted(list, i),
            words.get(i));
      }
    }
    if (!names.text("kind").isEmpty() && names.text("kind").equals(names.text("listKind"))) {
      problems.invalid(
          "spec.names.listKind", names.text("listKind"), "kind and listKind may not be the same");
    }
  }

  private void checkName(String field, String name) {
    if (name.isEmpty()) {
      problems.required(field, "");
    } else {
      problems.invalidIf(NameSyntax.labelProblem(name), field, name);
    }
  }

  private void checkConversion() {
    String strategy = spec.text("conversion", "strategy");
    problems.oneOf("spec.conversion.strategy", strategy, List.of("None", "Webhook"));
    if (strategy.equals("Webhook") && !convertedHere) {
      problems.forbidden(
          "spec.conversion.strategy",
          "this version of Sluice does not call conversion webhooks yet; use the strategy None,"
              + " which changes only the apiVersion, or serve one version");
    }
  }

  private void checkVersions() {
    List<Tree> versions = spec.trees("versions");
    var names = new TreeSet<String>();
    long stored = versions.stream().filter(version -> version.flag("storage")).count();
    for (int i = 0; i < versions.size(); i++) {
      String at = "spec.versions[" + i + "]";
      String name = versions.get(i).text("name");
      checkName(at + ".name", name);
      if (!names.add(name)) {
        problems.duplicate(at + ".name", name);
      }
      checkSchema(i, versions.get(i));
      checkColumns(at + ".additionalPrinterColumns", versions.get(i));
      ScaleRules.check(at + ".subresources.scale", versions.get(i), problems);
      SelectableFieldRules.check(at + ".selectableFields", versions.get(i), problems);
    }
    if (versions.isEmpty()) {
      problems.required("spec.versions", "at least one version is needed");
    } else if (stored != 1) {
      problems.invalid(
          "spec.versions",
          versions.stream().map(version -> version.text("name")).toList().toString(),
          "must have exactly one version marked as storage version");
    }
    if (!versions.isEmpty() && versions.stream().noneMatch(version -> version.flag("served"))) {
      problems.invalid("spec.versions", names.toString(), "at least one version must be served");
    }
  }

  private void checkSchema(int index, Tree version) {
    if (version.at("schema", "openAPIV3Schema") instanceof Tree schema) {
      FieldPath path =
          FieldPath.of("spec")
              .child("versions")
              .index(index)
              .child("schema")
              .child("openAPIV3Schema");
      List<Cause> wrong = StructuralRules.problems(schema, path);
      problems.addAll(wrong);
      if (wrong.isEmpty()) {
        checkRules(schema, path);
      }
    } else {
      problems.required(
          "spec.versions[%d].schema.openAPIV3Schema".formatted(index),
          "schemas are required for every version");
    }
  }

  private void checkRules(Tree schema, FieldPath path) {
    for (Cause wrong : SchemaRules.of(Schema.customResource(schema)).problems()) {
      problems.add(new Cause(wrong.reason(), path + "." + wrong.field(), wrong.message()));
    }
  }

  private void checkColumns(String field, Tree version) {
    List<Tree> columns = version.trees("additionalPrinterColumns");
    for (int i = 0; i < columns.size(); i++) {
      Tree column = columns.get(i);
      String at = field + "[" + i + "]";
      if (column.text("name").isEmpty()) {
        problems.required(at + ".name", "");
      }
      problems.oneOf(at + ".type", column.text("type"), COLUMN_TYPES);
      if (column.text("jsonPath").isEmpty()) {
        problems.required(at + ".jsonPath", "");
      }
    }
  }
}
