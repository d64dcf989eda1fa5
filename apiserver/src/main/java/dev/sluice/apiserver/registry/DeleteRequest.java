package dev.sluice.apiserver.registry;

import dev.sluice.runtime.Deletion;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How an object is to be deleted, as DeleteOptions say it; what is empty was not said.
 *
 * @param uid the object must have it
 * @param resourceVersion the object must be at it
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
