package dev.sluice.model;

import dev.sluice.model.tree.Tree;

/** One entry of {@code metadata.ownerReferences}. */
public record OwnerReference(
    String apiVersion, String kind, String name, String uid, boolean controller) {

  /** A reference to {@code owner} as the controller. */
  public static OwnerReference controller(ApiObject owner) {
    return new OwnerReference(owner.apiVersion(), owner.kind(), owner.name(), owner.uid(), true);
  }

  static OwnerReference of(Tree tree) {
    return new OwnerReference(
        tree.text("apiVersion"),
        tree.text("kind"),
        tree.text("name"),
        tree.text("uid"),
        tree.flag("controller"));
  }

  public Tree tree() {
    Tree plain = Tree.of("apiVersion", apiVersion, "kind", kind, "name", name, "uid", uid);
    return controller ? plain.with("controller", true).with("blockOwnerDeletion", true) : plain;
  }

  /** The API group of the owner, empty for the core one. */
  public String group() {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }
}
