package dev.sluice.apiserver.registry;

import dev.sluice.runtime.Deletion;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The options of a deletion, as in DeleteOptions; options that were not given are empty.
 *
 * @param uid the uid that the object must have
 * @param resourceVersion the revision that the object must be at
 */
public record DeleteRequest(
    OptionalLong graceSeconds,
    Optional<Deletion.Propagation> propagation,
    Optional<String> uid,
    Optional<String> resourceVersion,
    boolean dryRun) {

  public static final DeleteRequest PLAIN =
      new DeleteRequest(
          OptionalLong.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);
}
