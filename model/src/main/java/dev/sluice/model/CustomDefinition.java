package dev.sluice.model;

import dev.sluice.model.tree.Tree;

/** A CustomResourceDefinition: how users bring kinds of their own. */
public record CustomDefinition(ApiObject object) {

  /** The kind it brings, in the version in which its objects are stored. */
  public ResourceKind kind() {
    Tree spec = object.spec();
    String version =
        spec.trees("versions").stream()
            .filter(candidate -> candidate.flag("storage"))
            .findFirst()
            .map(storage -> storage.text("name"))
            .orElse("");
    return new ResourceKind(
        spec.text("group"),
        version,
        spec.text("names", "kind"),
        spec.text("names", "plural"),
        spec.text("scope").equals("Namespaced"));
  }
}
