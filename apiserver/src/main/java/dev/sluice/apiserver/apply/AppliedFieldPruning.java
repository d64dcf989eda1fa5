package dev.sluice.apiserver.apply;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Tree;
import java.util.Optional;

/**
 * Takes out of an object what a manager no longer wants.
 *
 * <p>That is found out in the version in which it wanted it. What is below a field that goes would
 * go with it, so what is owned, by whomever and in whatever version, is put back, and then all that
 * this manager had not wanted last.
 *
 * @param part what is written, in the version of the write
 * @param wanted who owns what once it is written
 */
record AppliedFieldPruning(ManagedPart part, ManagedFields wanted) {

  /** The object, into which the new wish is merged, without what only the last one wanted. */
  ApiObject of(ApiObject merged, ManagedFieldsEntry last) {
    Optional<ManagedPart> version = part.in(last.apiVersion());
    if (version.isEmpty()) {
      return merged;
    }
    ApiObject all = version.get().told(merged);
    ApiObject pruned = pruned(version.get(), all, last.fields());
    return last.apiVersion().equals(part.kind().apiVersion())
        ? pruned
        : translated(merged, all, pruned);
  }

  private ApiObject pruned(ManagedPart version, ApiObject all, FieldSet last) {
    MergeSchema shape = version.shape();
    FieldSet had = last.withDeclaredFields(shape);
    ApiObject left = withOwned(version, all, without(shape, all, had));
    FieldSet gone = fields(shape, all).minus(fields(shape, left));
    return without(shape, all, gone.intersection(had));
  }

  /** Puts back what is owned: first in this version, which may be all that the others need. */
  private ApiObject withOwned(ManagedPart version, ApiObject all, ApiObject left) {
    String first = version.kind().apiVersion();
    ApiObject more = withOwnedIn(version, all, left);
    for (String other : wanted.versions()) {
      Optional<ManagedPart> told = other.equals(first) ? Optional.empty() : part.in(other);
      if (told.isPresent()) {
        more = version.told(withOwnedIn(told.get(), told.get().told(all), told.get().told(more)));
      }
    }
    return more;
  }

  private ApiObject withOwnedIn(ManagedPart version, ApiObject all, ApiObject left) {
    MergeSchema shape = version.shape();
    FieldSet stays = fields(shape, left).union(owned(version));
    return without(shape, all, fields(shape, all).minus(stays));
  }

  /**
   * Does to the object what was done to it in another version. What that version cannot tell is
   * missing there before and after, so it stays.
   */
  private ApiObject translated(ApiObject merged, ApiObject all, ApiObject pruned) {
    ApiObject left = part.told(pruned);
    FieldSet gone = part.compare(part.told(all), left).removed().minus(owned(part));
    Tree rest = Removal.of(part.shape(), merged.tree(), gone);
    return new ApiObject(Merge.of(part.shape(), rest, left.tree()));
  }

  private FieldSet owned(ManagedPart version) {
    return wanted.owned(version.kind().apiVersion()).withDeclaredFields(version.shape());
  }

  private static FieldSet fields(MergeSchema shape, ApiObject object) {
    return FieldsOf.value(shape, object.tree()).withDeclaredFields(shape);
  }

  private static ApiObject without(MergeSchema shape, ApiObject object, FieldSet fields) {
    return new ApiObject(Removal.of(shape, object.tree(), fields));
  }
}
