package dev.sluice.model.core;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.function.Predicate;

/** The owner references and finalizers of an object, as garbage collection reads them. */
public record Ownership(ApiObject object) {
  /** The finalizer of an object that waits for its dependents to be deleted first. */
  public static final String FOREGROUND = "foregroundDeletion";

  /** The finalizer of an object that waits until its dependents no longer refer to it. */
  public static final String ORPHAN = "orphan";

  private static final String REFERENCES = "ownerReferences";

  /** Whether the object blocks the deletion of the owner with this uid. */
  public boolean blocks(String ownerUid) {
    return object.metadata().trees(REFERENCES).stream()
        .anyMatch(reference ->
            reference.text("uid").equals(ownerUid) && reference.flag("blockOwnerDeletion"));
  }

  /** Whether the object waits for its dependents to be deleted first. */
  public boolean isWaiting() {
    return object.isDeleting() && object.hasFinalizer(FOREGROUND);
  }

  /** Whether the dependents of the object are to be orphaned. */
  public boolean isOrphaning() {
    return object.isDeleting() && object.hasFinalizer(ORPHAN);
  }

  /** The object with every {@code blockOwnerDeletion} set to false. */
  public ApiObject withoutBlocks() {
    List<Tree> free =
        object.metadata().trees(REFERENCES).stream()
            .map(reference ->
                reference.flag("blockOwnerDeletion")
                    ? reference.with("blockOwnerDeletion", false)
                    : reference)
            .toList();
    return free.isEmpty() ? object : object.withMetadata(REFERENCES, Items.of(free));
  }

  /** The object without the references to some owners; the others are unchanged. */
  public ApiObject withoutOwners(Predicate<String> uid) {
    List<Tree> kept =
        object.metadata().trees(REFERENCES).stream()
            .filter(reference -> !uid.test(reference.text("uid")))
            .toList();
    return kept.isEmpty()
        ? object.withoutMetadata(REFERENCES)
        : object.withMetadata(REFERENCES, Items.of(kept));
  }
}
