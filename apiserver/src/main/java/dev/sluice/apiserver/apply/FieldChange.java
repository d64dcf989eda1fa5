package dev.sluice.apiserver.apply;

import dev.sluice.model.ApiObject;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a write changes, told in the words of each version in which somebody owns fields: what one
 * version calls {@code cohort} and another {@code cohortName} is one field.
 *
 * <p>Threads: of one.
 */
final class FieldChange {
  private final ManagedPart part;
  private final ApiObject before;
  private final ApiObject after;
  private final SortedMap<String, Optional<Comparison>> byVersion = new TreeMap<>();

  /** A write through a part, in whose version both objects are. */
  FieldChange(ManagedPart part, ApiObject before, ApiObject after) {
    this.part = part;
    this.before = before;
    this.after = after;
  }

  /** What is set in the version of the write, and was not so before. */
  FieldSet set() {
    return in(part.kind().apiVersion()).orElseThrow().set();
  }

  /** What others own and this sets. */
  ManagedFields conflicts(ManagedFields others) {
    return others.each(claim -> {
      FieldSet set = in(claim.apiVersion()).map(Comparison::set).orElse(FieldSet.EMPTY);
      return claim.with(claim.fields().intersection(set));
    });
  }

  /**
   * What is left to owners: not what is set, nor what vanishes. Whoever owns fields in a version
   * that is no longer served is forgotten, since nobody knows any more which fields those are.
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
            part.in(version).map(other -> other.compare(other.told(before), other.told(after))));
  }
}
