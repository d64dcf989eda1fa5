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
 * Applies configurations.
 *
 * <p>Goal: several managers each say what they want of an object, again and again, and none undoes
 * what another wants. Method: the configuration is merged into the object. What the manager wanted
 * the last time and no longer does goes, unless somebody else owns it. What then differs from the
 * object and is somebody else's is a conflict, unless the manager insists.
 *
 * <p>Claims made in another version of the kind are compared by the names of their fields alone.
 *
 * @param insists whether fields are taken from other managers
 */
public record Applier(Part part, String manager, boolean insists, Instant now) {
  /** The owner of what was there before anybody applied anything, if nobody kept account. */
  static final String BEFORE_FIRST_APPLY = "before-first-apply";

  /** The object with the configuration in it, and with the owners of its fields. */
  public ApiObject apply(ApiObject object, Tree configuration) {
    Configuration.check(part, configuration);
    Configuration.checkStored(part, object.tree());
    ManagedFields known = ManagedFields.of(object);
    boolean exists = !object.metadata().isEmpty();
    ManagedFields managed =
        known.isEmpty() && exists
            ? Accounting.updated(
                part, part.blank(), object, ManagedFields.NONE, BEFORE_FIRST_APPLY, now)
            : known;
    ApiObject applied = apply(object, managed, configuration);
    return manager.equals(LastApplied.KUBECTL)
        ? LastApplied.refreshed(applied, configuration)
        : applied;
  }

  /** The object of a configuration that there is no object for. */
  public ApiObject create(Tree configuration) {
    return apply(part.blank(), configuration);
  }

  private ApiObject apply(ApiObject object, ManagedFields managed, Tree configuration) {
    ApiObject before = ManagedFields.removedFrom(object);
    Claim claim = claim(configuration);
    Optional<Claim> last = managed.find(claim);
    ManagedFields wanted = managed.with(claim);
    Tree merged = Merge.of(part.shape(), before.tree(), configuration);
    ApiObject after =
        new ApiObject(
            last.isPresent() ? pruned(merged, last.get().fields(), wanted.owned()) : merged);
    Comparison change = part.compare(before, after);
    ManagedFields others = managed.only(other -> !other.sameOwner(claim));
    refuseConflicts(before, others, change.set());
    boolean same =
        before.equals(after) && last.map(Claim::fields).equals(Optional.of(claim.fields()));
    Claim timed = same ? claim.at(last.map(Claim::time).orElse("")) : claim;
    return Accounting.released(others, change.set(), change.removed()).with(timed).writtenTo(after);
  }

  private Claim claim(Tree configuration) {
    return new Claim(
        manager,
        Operation.APPLY,
        part.kind().apiVersion(),
        part.subresource(),
        Timestamps.format(now),
        part.ownable(FieldsOf.value(part.shape(), configuration)));
  }

  /**
   * Takes out what the manager no longer wants. What is below a field that goes would go with it,
   * so what is owned, by whomever, is put back, and then all that this manager had not wanted last.
   */
  private Tree pruned(Tree merged, FieldSet last, FieldSet owned) {
    Shape shape = part.shape();
    FieldSet had = last.withDeclaredFields(shape);
    FieldSet all = fieldsOf(merged);
    FieldSet left = fieldsOf(Removal.of(shape, merged, had));
    FieldSet unowned = all.minus(left.union(owned.withDeclaredFields(shape)));
    FieldSet stays = fieldsOf(Removal.of(shape, merged, unowned));
    return Removal.of(shape, merged, all.minus(stays).intersection(had));
  }

  private FieldSet fieldsOf(Tree tree) {
    return FieldsOf.value(part.shape(), tree).withDeclaredFields(part.shape());
  }

  private void refuseConflicts(ApiObject before, ManagedFields others, FieldSet changed) {
    if (insists) {
      return;
    }
    ManagedFields conflicts =
        others.each(claim -> claim.with(claim.fields().intersection(changed)));
    if (manager.equals(LastApplied.KUBECTL) && !conflicts.isEmpty()) {
      FieldSet own = LastApplied.unchanged(part, before);
      conflicts = conflicts.each(claim -> claim.with(claim.fields().minus(own)));
    }
    if (!conflicts.isEmpty()) {
      throw refusal(conflicts);
    }
  }

  private static List<Claim> sorted(ManagedFields conflicts) {
    return conflicts.claims().stream()
        .sorted(Comparator.comparing(Claim::manager).thenComparing(Claim.ORDER))
        .toList();
  }

  private static ApiException refusal(ManagedFields conflicts) {
    var causes = new ArrayList<Cause>();
    var lines = new ArrayList<String>();
    for (Claim claim : sorted(conflicts)) {
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
