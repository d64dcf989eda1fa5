package dev.sluice.apiserver.apply;

import dev.sluice.model.ApiObject;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The fields that a write changes, in every version in which fields are owned: {@code cohort} in
 * one version and {@code cohortName} in another are the same field.
 *
 * <p>Threads: confined to one.
 */
final class FieldChange {
  private final ManagedPart part;
  private final ApiObject before;
  private final ApiObject after;
  private final SortedMap<String, Optional<Comparison>> byVersion = new TreeMap<>();

  /** A write through a part; both objects are in its version. */
  FieldChange(ManagedPart part, ApiObject before, ApiObject after) {
    this.part = part;
    this.before = before;
    this.after = after;
  }

  /** The fields that the write sets, in its own version. */
  FieldSet set() {
    return in(part.kind().apiVersion()).orElseThrow().set();
  }

  /** The fields of other managers that the write sets. */
  ManagedFields conflicts(ManagedFields others) {
    return others.each(claim -> {
      FieldSet set = in(claim.apiVersion()).map(Comparison::set).orElse(FieldSet.EMPTY);
      return claim.with(claim.fields().intersection(set));
    });
  }

  /**
   * The fields that their owners keep: neither set nor removed by the write. Fields owned in a
   * version that is no longer served are dropped, because they can no longer be identified.
   */
  ManagedFields leftTo(ManagedFields owners) {
    return owners.each(claim ->
        claim.with(
            in(claim.apiVersion())
                .map(change -> claim.fields().minus(change.set()).minus(change.removed()))
                .orElse(FieldSet.EMPTY)));
  }

  private Optional<Comparison> in(String apiVersion) {
    return byVersion.computeIfAbsent(
        apiVersion,
        version ->
            part.in(version)
                .map(other -> other.compare(other.convert(before), other.convert(after))));
  }
}
