package dev.sluice.store;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import java.util.List;
import java.util.Optional;

/** The whole store as it stood at one revision. Threads: immutable. */
public interface Snapshot {

  long revision();

  Optional<ApiObject> get(ObjectKey key);

  /** All objects of a kind, by namespace and name. */
  List<ApiObject> list(ResourceKind kind);

  /** The objects of a kind in one namespace, by name. */
  List<ApiObject> list(ResourceKind kind, String namespace);
}
