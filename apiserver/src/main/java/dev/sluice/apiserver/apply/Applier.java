package dev.sluice.apiserver.apply;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Server-side apply of one configuration.
 *
 * <p>Goal: several managers apply their configurations to the same object, again and again, and
 * none undoes what another one applied. Method: the configuration is merged into the object. Fields
 * that the manager applied last time and no longer applies are removed, unless another manager owns
 * them. A field that then differs from the object and belongs to another manager is a conflict,
 * unless the manager forces it.
 *
 * <p>Fields that are owned in another version of the kind are compared with the object in that
 * version.
 *
 * @param insists whether fields are taken from other managers
 */
public record Applier(ManagedPart part, String manager, boolean insists, Instant now) {
  /** The owner of the fields that an object without managed fields has before the first apply. */
  static final String BEFORE_FIRST_APPLY = "before-first-apply";

  /** The object with the configuration merged into it, and with the owners of its fields. */
  public ApiObject apply(ApiObject object, Tree configuration) {
    ApplyPrecondition.check(part, configuration);
    ApplyPrecondition.checkStored(part, object.tree());
    ManagedFields known = ManagedFields.of(object);
    boolean exists = !object.metadata().isEmpty();
    ManagedFields managed =
        known.isEmpty() && exists
            ? OwnershipTracking.updated(
                part, part.blank(), object, ManagedFields.NONE, BEFORE_FIRST_APPLY, now)
            : known;
    ApiObject applied = apply(object, managed, configuration);
    return manager.equals(LastApplied.KUBECTL)
        ? LastApplied.refreshed(applied, configuration)
        : applied;
  }

  /** The new object that a configuration describes. */
  public ApiObject create(Tree configuration) {
    return apply(part.blank(), configuration);
  }

  private ApiObject apply(ApiObject object, ManagedFields managed, Tree configuration) {
    ApiObject before = ManagedFields.removedFrom(object);
    ManagedFieldsEntry claim = claim(configuration);
    Optional<ManagedFieldsEntry> last = managed.find(claim);
    ManagedFields wanted = managed.with(claim);
    var merged = new ApiObject(Merge.of(part.mergeSchema(), before.tree(), configuration));
    ApiObject after =
        last.map(old -> new AppliedFieldPruning(part, wanted).of(merged, old)).orElse(merged);
    var change = new FieldChange(part, before, after);
    ManagedFields others = managed.only(other -> !other.sameOwner(claim));
    refuseConflicts(before, change.conflicts(others));
    boolean same = before.equals(after) && last.map(claim::saysTheSame).orElse(false);
    ManagedFieldsEntry timed =
        same ? claim.at(last.map(ManagedFieldsEntry::time).orElse("")) : claim;
    return change.leftTo(others).with(timed).writtenTo(after);
  }

  private ManagedFieldsEntry claim(Tree configuration) {
    return new ManagedFieldsEntry(
        manager,
        Operation.APPLY,
        part.kind().apiVersion(),
        part.subresource(),
        Timestamps.format(now),
        part.ownable(FieldsOf.value(part.mergeSchema(), configuration)));
  }

  private void refuseConflicts(ApiObject before, ManagedFields found) {
    if (insists) {
      return;
    }
    ManagedFields conflicts = found;
    if (manager.equals(LastApplied.KUBECTL) && !conflicts.isEmpty()) {
      FieldSet own = LastApplied.unchanged(part, before);
      conflicts = conflicts.each(claim -> claim.with(claim.fields().minus(own)));
    }
    if (!conflicts.isEmpty()) {
      throw refusal(conflicts);
    }
  }

  private static List<ManagedFieldsEntry> sorted(ManagedFields conflicts) {
    return conflicts.claims().stream()
        .sorted(
            Comparator.comparing(ManagedFieldsEntry::manager)
                .thenComparing(ManagedFieldsEntry.ORDER))
        .toList();
  }

  private static ApiException refusal(ManagedFields conflicts) {
    var causes = new ArrayList<Cause>();
    var lines = new ArrayList<String>();
    for (ManagedFieldsEntry claim : sorted(conflicts)) {
      lines.add("conflicts with " + claim.shown() + ":");
      for (String path : claim.fields().paths()) {
        causes.add(new Cause("FieldManagerConflict", path, "conflict with " + claim.shown()));
        lines.add("- " + path);
      }
    }
    String message =
        causes.size() == 1
            ? "Apply failed with 1 conflict: %s: %s"
                .formatted(causes.getFirst().message(), causes.getFirst().field())
            : "Apply failed with %d conflicts: %s"
                .formatted(causes.size(), String.join("\n", lines));
    return new ApiFailure(Reason.CONFLICT, message, "", "", "", List.copyOf(causes), 0).exception();
  }
}
