package dev.sluice.model;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * An API object: a tree with a kind, a version and metadata. The same immutable value is used
 * everywhere: in the store, on the watch, in caches and in controllers.
 */
public record ApiObject(Tree tree) {
  private static final String METADATA = "metadata";

  /** A new object of a kind; {@code namespace} is ignored for a cluster-scoped kind. */
  public static ApiObject of(ResourceKind kind, String namespace, String name) {
    Tree metadata = Tree.of("name", name);
    if (kind.namespaced()) {
      metadata = metadata.with("namespace", namespace);
    }
    return new ApiObject(
        Tree.of("apiVersion", kind.apiVersion(), "kind", kind.kind(), METADATA, metadata));
  }

  public String apiVersion() {
    return tree.text("apiVersion");
  }

  public String kind() {
    return tree.text("kind");
  }

  public String name() {
    return tree.text(METADATA, "name");
  }

  public String namespace() {
    return tree.text(METADATA, "namespace");
  }

  /** {@code namespace/name}, or the name alone. */
  public String path() {
    return namespace().isEmpty() ? name() : namespace() + "/" + name();
  }

  public String uid() {
    return tree.text(METADATA, "uid");
  }

  public String resourceVersion() {
    return tree.text(METADATA, "resourceVersion");
  }

  public long generation() {
    return tree.whole(METADATA, "generation").orElse(0);
  }

  public SortedMap<String, String> labels() {
    return tree.texts(METADATA, "labels");
  }

  public SortedMap<String, String> annotations() {
    return tree.texts(METADATA, "annotations");
  }

  /** Whether another object has the same labels; cheaper than reading them. */
  public boolean hasLabelsOf(ApiObject other) {
    return tree.at(METADATA, "labels").equals(other.tree.at(METADATA, "labels"));
  }

  public String label(String name) {
    return tree.text(METADATA, "labels", name);
  }

  public String annotation(String name) {
    return tree.text(METADATA, "annotations", name);
  }

  public List<String> finalizers() {
    return tree.textItems(METADATA, "finalizers");
  }

  public boolean hasFinalizer(String finalizer) {
    return tree.items(METADATA, "finalizers").contains(new Value.Text(finalizer));
  }

  public List<OwnerReference> owners() {
    return tree.trees(METADATA, "ownerReferences").stream().map(OwnerReference::of).toList();
  }

  /** The owner that controls this object, if one does. */
  public Optional<OwnerReference> controller() {
    for (Value owner : tree.items(METADATA, "ownerReferences")) {
      if (owner.asTree().flag("controller")) {
        return Optional.of(OwnerReference.of(owner.asTree()));
      }
    }
    return Optional.empty();
  }

  public boolean isOwnedBy(ApiObject owner) {
    return owners().stream().anyMatch(reference -> reference.uid().equals(owner.uid()));
  }

  public Optional<Instant> created() {
    return Timestamps.parse(tree.text(METADATA, "creationTimestamp"));
  }

  public Optional<Instant> deleted() {
    return Timestamps.parse(tree.text(METADATA, "deletionTimestamp"));
  }

  public boolean isDeleting() {
    return !tree.text(METADATA, "deletionTimestamp").isEmpty();
  }

  public Tree metadata() {
    return tree.tree(METADATA);
  }

  public Tree spec() {
    return tree.tree("spec");
  }

  public Tree status() {
    return tree.tree("status");
  }

  public ApiObject withSpec(Tree spec) {
    return with(List.of("spec"), spec);
  }

  public ApiObject withStatus(Tree status) {
    return with(List.of("status"), status);
  }

  public ApiObject withMetadata(String name, Object value) {
    return with(List.of(METADATA, name), value);
  }

  public ApiObject withoutMetadata(String name) {
    return without(List.of(METADATA, name));
  }

  public ApiObject withLabel(String name, String value) {
    return with(List.of(METADATA, "labels", name), value);
  }

  public ApiObject withAnnotation(String name, String value) {
    return with(List.of(METADATA, "annotations", name), value);
  }

  public ApiObject withoutAnnotation(String name) {
    Tree annotations = tree.tree(METADATA, "annotations");
    if (!annotations.has(name)) {
      return this;
    }
    Tree kept = annotations.without(name);
    return kept.isEmpty() ? withoutMetadata("annotations") : withMetadata("annotations", kept);
  }

  public ApiObject withFinalizer(String finalizer) {
    if (hasFinalizer(finalizer)) {
      return this;
    }
    var finalizers = new ArrayList<>(finalizers());
    finalizers.add(finalizer);
    return withMetadata("finalizers", finalizers);
  }

  public ApiObject withoutFinalizer(String finalizer) {
    List<String> kept = finalizers().stream().filter(name -> !name.equals(finalizer)).toList();
    return kept.isEmpty() ? withoutMetadata("finalizers") : withMetadata("finalizers", kept);
  }

  /** This object with {@code owner} as its controller, in place of any owners it had. */
  public ApiObject controlledBy(ApiObject owner) {
    return withMetadata("ownerReferences", List.of(OwnerReference.controller(owner).tree()));
  }

  /** This object with {@code owner} as one more owner that is not its controller. */
  public ApiObject sharedBy(ApiObject owner) {
    return withOwner(
        new OwnerReference(owner.apiVersion(), owner.kind(), owner.name(), owner.uid(), false));
  }

  /** This object with one more owner. */
  public ApiObject withOwner(OwnerReference owner) {
    var references = new ArrayList<Object>(tree.trees(METADATA, "ownerReferences"));
    references.add(owner.tree());
    return withMetadata("ownerReferences", references);
  }

  /** This object without one of its owners. */
  public ApiObject withoutOwner(ApiObject owner) {
    List<Tree> kept =
        tree.trees(METADATA, "ownerReferences").stream()
            .filter(reference -> !reference.text("uid").equals(owner.uid()))
            .toList();
    return kept.isEmpty()
        ? withoutMetadata("ownerReferences")
        : withMetadata("ownerReferences", kept);
  }

  public ApiObject with(List<String> path, Object value) {
    return of(tree.with(path, value));
  }

  public ApiObject without(List<String> path) {
    return of(tree.without(path));
  }

  @SuppressWarnings("ReferenceEquality") // a tree that did not change is the same tree
  private ApiObject of(Tree changed) {
    return changed == tree ? this : new ApiObject(changed);
  }

  /** Whether this object's apiVersion and kind are those of {@code kind}. */
  public boolean isA(ResourceKind kind) {
    return apiVersion().equals(kind.apiVersion()) && kind().equals(kind.kind());
  }

  /** The key of this object, which must be of the given kind. */
  public ObjectKey key(ResourceKind kind) {
    return kind.key(namespace(), name());
  }

  /** The object in a value. */
  public static ApiObject of(Value value) {
    return new ApiObject(value.asTree());
  }
}
