package dev.sluice.controllers.queueing.admission;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.Workload;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * An index of unfinished variants by their parent, so that the parent is read again when a variant
 * changes, also after the variant is deleted.
 *
 * <p>Threads: one owner.
 */
final class VariantParents {
  private final Map<ObjectKey, ObjectKey> parents = new LinkedHashMap<>();
  private final Map<ObjectKey, SortedSet<ObjectKey>> variants = new LinkedHashMap<>();

  /** The workload of which an object is a variant. */
  static Optional<ObjectKey> parent(ApiObject workload) {
    return new Workload(workload)
        .parent()
        .map(owner -> Kinds.WORKLOAD.key(workload.namespace(), owner.name()));
  }

  /**
   * Updates the index for a workload; it has no parent once it is finished or deleted. Returns its
   * old and new parents.
   */
  Set<ObjectKey> note(ObjectKey workload, Optional<ApiObject> unfinished) {
    Optional<ObjectKey> now = unfinished.flatMap(VariantParents::parent);
    ObjectKey before = parents.remove(workload);
    if (before == null && now.isEmpty()) {
      return Set.of();
    }
    var concerned = new TreeSet<ObjectKey>();
    if (before != null) {
      concerned.add(before);
      variants.computeIfPresent(
          before,
          (_, all) -> {
            all.remove(workload);
            return all.isEmpty() ? null : all;
          });
    }
    now.ifPresent(parent -> {
      concerned.add(parent);
      parents.put(workload, parent);
      variants.computeIfAbsent(parent, _ -> new TreeSet<>()).add(workload);
    });
    return concerned;
  }

  SortedSet<ObjectKey> variants(ObjectKey parent) {
    return variants.getOrDefault(parent, Collections.emptySortedSet());
  }
}
