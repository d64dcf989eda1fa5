package dev.sluice.apiserver.apply;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Tree;
import java.util.Optional;

/**
 * The removal of fields that an applier no longer applies.
 *
 * <p>The fields are found in the version in which they were applied last. Removing a field also
 * removes everything below it, so fields that any manager owns, in any version, are put back, and
 * after them every field that this manager did not apply last.
 *
 * @param part what is written, in the version of the write
 * @param wanted the owners of all fields once the write is done
 */
record AppliedFieldPruning(ManagedPart part, ManagedFields wanted) {

  /** The merged object without the fields that only the last configuration had. */
  ApiObject of(ApiObject merged, ManagedFieldsEntry last) {
    Optional<ManagedPart> version = part.in(last.apiVersion());
    if (version.isEmpty()) {
      return merged;
    }
    ApiObject all = version.get().convert(merged);
    ApiObject pruned = pruned(version.get(), all, last.fields());
    return last.apiVersion().equals(part.kind().apiVersion())
        ? pruned
        : translated(merged, all, pruned);
  }

  private ApiObject pruned(ManagedPart version, ApiObject all, FieldSet last) {
    MergeSchema schema = version.mergeSchema();
    FieldSet had = last.withDeclaredFields(schema);
    ApiObject left = withOwned(version, all, without(schema, all, had));
    FieldSet gone = fields(schema, all).minus(fields(schema, left));
    return without(schema, all, gone.intersection(had));
  }

  /**
   * Puts back the fields that are owned: first those of this version, which often include the rest.
   */
  private ApiObject withOwned(ManagedPart version, ApiObject all, ApiObject left) {
    String first = version.kind().apiVersion();
    ApiObject more = withOwnedIn(version, all, left);
    for (String other : wanted.versions()) {
      Optional<ManagedPart> owning = other.equals(first) ? Optional.empty() : part.in(other);
      if (owning.isPresent()) {
        more =
            version.convert(
                withOwnedIn(owning.get(), owning.get().convert(all), owning.get().convert(more)));
      }
    }
    return more;
  }

  private ApiObject withOwnedIn(ManagedPart version, ApiObject all, ApiObject left) {
    MergeSchema schema = version.mergeSchema();
    FieldSet stays = fields(schema, left).union(owned(version));
    return without(schema, all, fields(schema, all).minus(stays));
  }

  /**
   * Repeats in the version of the write what was removed in another version. A field that the other
   * version does not have is missing there before and after, so it stays.
   */
  private ApiObject translated(ApiObject merged, ApiObject all, ApiObject pruned) {
    ApiObject left = part.convert(pruned);
    FieldSet gone = part.compare(part.convert(all), left).removed().minus(owned(part));
    Tree rest = Removal.of(part.mergeSchema(), merged.tree(), gone);
    return new ApiObject(Merge.of(part.mergeSchema(), rest, left.tree()));
  }

  private FieldSet owned(ManagedPart version) {
    return wanted.owned(version.kind().apiVersion()).withDeclaredFields(version.mergeSchema());
  }

  private static FieldSet fields(MergeSchema schema, ApiObject object) {
    return FieldsOf.value(schema, object.tree()).withDeclaredFields(schema);
  }

  private static ApiObject without(MergeSchema schema, ApiObject object, FieldSet fields) {
    return new ApiObject(Removal.of(schema, object.tree(), fields));
  }
}
