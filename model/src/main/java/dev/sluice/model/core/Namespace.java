package dev.sluice.model.core;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Items;
import java.util.List;

/** A namespace. It is removed only when both its metadata and its spec have no finalizers left. */
public record Namespace(ApiObject object) {
  /** The finalizer that stands for the namespace's contents. */
  public static final String CONTENTS = "kubernetes";

  private static final List<String> FINALIZERS = List.of("spec", "finalizers");

  public boolean isTerminating() {
    return object.isDeleting();
  }

  public List<String> specFinalizers() {
    return object.spec().textItems("finalizers");
  }

  public Namespace withSpecFinalizers(List<String> finalizers) {
    return new Namespace(object.with(FINALIZERS, Items.of(finalizers)));
  }

  public Namespace withoutSpecFinalizer(String finalizer) {
    return withSpecFinalizers(
        specFinalizers().stream().filter(name -> !name.equals(finalizer)).toList());
  }
}
