package dev.sluice.model.core;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.function.Predicate;

/** Who owns an object of any kind, as far as deletion is concerned. */
public record Ownership(ApiObject object) {
  /** Held by an object that waits for what it owns to go first. */
  public static final String FOREGROUND = "foregroundDeletion";

  /** Held by an object that goes as soon as nothing refers to it any more. */
  public static final String ORPHAN = "orphan";

  private static final String REFERENCES = "ownerReferences";

  /** Whether the owner with this uid must stay until the object is gone. */
  public boolean blocks(String ownerUid) {
    return object.metadata().trees(REFERENCES).stream()
        .anyMatch(reference ->
            reference.text("uid").equals(ownerUid) && reference.flag("blockOwnerDeletion"));
  }

  /** Whether the object waits for what it owns to go first. */
  public boolean isWaiting() {
    return object.isDeleting() && object.hasFinalizer(FOREGROUND);
  }

  /** Whether what the object owns is to be set free before it goes. */
  public boolean isOrphaning() {
    return object.isDeleting() && object.hasFinalizer(ORPHAN);
  }

  /** The object such that no owner must wait for it. */
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

  /** The object without the references to some owners; the others stay as they were written. */
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
