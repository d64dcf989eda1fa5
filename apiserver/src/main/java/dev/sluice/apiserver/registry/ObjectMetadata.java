package dev.sluice.apiserver.registry;

import dev.sluice.apiserver.registry.kind.Traits;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;

/** The metadata that the server sets, whatever the client wrote. */
final class ObjectMetadata {
  private static final List<String> METADATA = List.of("metadata");
  private static final List<String> FIXED =
      List.of(
          "name",
          "namespace",
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds");

  private ObjectMetadata() {}

  /**
   * The metadata of a new object; a kind whose generation the server does not count keeps the one
   * it has.
   */
  static ApiObject fresh(ApiObject asked, Traits traits, String name, String uid, Instant now) {
    Tree metadata =
        asked
            .metadata()
            .without("resourceVersion")
            .without("deletionTimestamp")
            .without("deletionGracePeriodSeconds")
            .with("name", name)
            .with("uid", uid)
            .with("creationTimestamp", Timestamps.format(now));
    return asked.with(METADATA, traits.counted() ? metadata.with("generation", 1) : metadata);
  }

  /** The metadata of an update: read-only fields keep their values. */
  static ApiObject updated(ApiObject before, ApiObject asked) {
    Tree old = before.metadata();
    Tree metadata = asked.metadata();
    if (metadata.equals(old)) {
      return asked;
    }
    for (String name : FIXED) {
      metadata = old.has(name) ? metadata.with(name, old.at(name)) : metadata.without(name);
    }
    return asked.with(METADATA, metadata);
  }

  /** The object with duplicate owner references removed. */
  static ApiObject withDistinctOwners(ApiObject object, Consumer<String> warnings) {
    List<Tree> owners = object.tree().trees("metadata", "ownerReferences");
    if (owners.size() <= 1) {
      return object;
    }
    var distinct = new LinkedHashSet<>(owners);
    if (distinct.size() == owners.size()) {
      return object;
    }
    warnings.accept(
        "metadata.ownerReferences names the same owner more than once; it is kept once");
    return object.withMetadata("ownerReferences", Items.of(distinct));
  }
}
