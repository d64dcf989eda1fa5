package dev.sluice.controllers.queueing.admission;

import dev.sluice.controllers.queueing.SliceRules;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * An index of the unfinished workload slices that replace each other. It finds the slices that a
 * change concerns without a search through all workloads, also after the changed slice is deleted.
 *
 * <p>Threads: one owner.
 */
final class SliceChains {
  private final Map<ObjectKey, ObjectKey> predecessors = new LinkedHashMap<>();
  private final Map<ObjectKey, SortedSet<ObjectKey>> successors = new LinkedHashMap<>();

  /**
   * Updates the index for a workload; it replaces no slice once it is finished or deleted. Returns
   * all workloads whose state depends on it: itself, its predecessor, and the successors of both.
   */
  Set<ObjectKey> note(ObjectKey workload, Optional<ApiObject> unfinished) {
    Optional<ObjectKey> now = unfinished.flatMap(SliceRules::predecessor);
    Optional<ObjectKey> before = Optional.ofNullable(predecessors.get(workload));
    if (now.isEmpty() && before.isEmpty() && !successors.containsKey(workload)) {
      return Set.of(workload); // most workloads are no slices
    }
    var concerned = new LinkedHashSet<ObjectKey>();
    concerned.add(workload);
    if (!now.equals(before)) {
      before.ifPresent(slice -> unlink(workload, slice));
      now.ifPresent(slice -> link(workload, slice));
    }
    before.ifPresent(slice -> addWithSuccessors(slice, concerned));
    now.ifPresent(slice -> addWithSuccessors(slice, concerned));
    concerned.addAll(successors(workload));
    return concerned;
  }

  private void addWithSuccessors(ObjectKey slice, Set<ObjectKey> concerned) {
    concerned.add(slice);
    concerned.addAll(successors(slice));
  }

  private void link(ObjectKey workload, ObjectKey slice) {
    predecessors.put(workload, slice);
    successors.computeIfAbsent(slice, _ -> new TreeSet<>()).add(workload);
  }

  private void unlink(ObjectKey workload, ObjectKey slice) {
    predecessors.remove(workload);
    successors.computeIfPresent(
        slice,
        (_, all) -> {
          all.remove(workload);
          return all.isEmpty() ? null : all;
        });
  }

  /** The slices that replace, or will replace, a workload. */
  SortedSet<ObjectKey> successors(ObjectKey workload) {
    return successors.getOrDefault(workload, Collections.emptySortedSet());
  }
}
