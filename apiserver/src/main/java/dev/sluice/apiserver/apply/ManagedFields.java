package dev.sluice.apiserver.apply;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Who owns which fields of an object: its {@code metadata.managedFields}. No claim is empty. */
public record ManagedFields(List<ManagedFieldsEntry> claims) {
  public static final ManagedFields NONE = new ManagedFields(List.of());

  /** How many managers that update are told apart. */
  static final int MAX_UPDATERS = 10;

  /** The one manager that the oldest of them become. */
  static final String ANCIENT = "ancient-changes";

  /** Those that are one already come first, however young their youngest is. */
  private static final Comparator<ManagedFieldsEntry> OLDEST_FIRST =
      Comparator.comparing((ManagedFieldsEntry claim) -> !claim.manager().equals(ANCIENT))
          .thenComparing(ManagedFieldsEntry.ORDER);

  private static final String FIELD = "managedFields";

  public ManagedFields {
    claims = List.copyOf(claims);
  }

  /** Whether anybody's fields are recorded in an object. */
  static boolean in(ApiObject object) {
    return object.metadata().has(FIELD);
  }

  /** What an object says; none if it cannot be read. */
  static ManagedFields of(ApiObject object) {
    return read(object).orElse(NONE);
  }

  private static Optional<ManagedFields> read(ApiObject object) {
    try {
      return Optional.of(
          new ManagedFields(
              object.tree().trees("metadata", FIELD).stream()
                  .map(ManagedFieldsEntry::parse)
                  .toList()));
    } catch (MalformedText malformed) {
      return Optional.empty();
    }
  }

  /**
   * What holds before a write: what the writer says, unless that is nothing or cannot be read,
   * since most writers do not know of it. An empty list, or one of empty entries, says that nobody
   * owns anything.
   */
  static ManagedFields said(ApiObject before, ApiObject asked) {
    boolean emptied =
        in(asked) && asked.tree().trees("metadata", FIELD).stream().allMatch(Tree::isEmpty);
    if (emptied) {
      return NONE;
    }
    return read(asked).filter(said -> !said.claims.isEmpty()).orElseGet(() -> of(before));
  }

  boolean isEmpty() {
    return claims.isEmpty();
  }

  /** The object with this in it. */
  ApiObject writtenTo(ApiObject object) {
    return claims.isEmpty()
        ? object.withoutMetadata(FIELD)
        : object.withMetadata(
            FIELD,
            Items.of(
                claims.stream()
                    .sorted(ManagedFieldsEntry.ORDER)
                    .map(ManagedFieldsEntry::written)
                    .toList()));
  }

  /** An object with the owners that the fields of another have. */
  public static ApiObject copied(ApiObject from, ApiObject to) {
    return in(from) ? to.withMetadata(FIELD, from.metadata().at(FIELD)) : removedFrom(to);
  }

  static ApiObject removedFrom(ApiObject object) {
    return object.withoutMetadata(FIELD);
  }

  /** The object after a write, or as it was before if the two differ in nothing but times. */
  public static ApiObject keepingTimes(ApiObject before, ApiObject after) {
    if (before.metadata().at(FIELD).equals(after.metadata().at(FIELD))) {
      return after;
    }
    boolean sameRest = removedFrom(before).equals(removedFrom(after));
    return sameRest && of(before).withoutTimes().equals(of(after).withoutTimes()) ? before : after;
  }

  private List<ManagedFieldsEntry> withoutTimes() {
    return claims.stream().map(claim -> claim.at("")).sorted(ManagedFieldsEntry.ORDER).toList();
  }

  /** The claim of the same owner. */
  Optional<ManagedFieldsEntry> find(ManagedFieldsEntry owner) {
    return claims.stream().filter(owner::sameOwner).findFirst();
  }

  ManagedFields only(Predicate<ManagedFieldsEntry> condition) {
    return new ManagedFields(claims.stream().filter(condition).toList());
  }

  /** With other fields in some claims; what becomes empty vanishes. */
  ManagedFields each(UnaryOperator<ManagedFieldsEntry> change) {
    return new ManagedFields(
        claims.stream().map(change).filter(claim -> !claim.fields().isEmpty()).toList());
  }

  /** With a claim in place of the one that its owner had. */
  ManagedFields with(ManagedFieldsEntry claim) {
    List<ManagedFieldsEntry> all = new ArrayList<>(only(other -> !other.sameOwner(claim)).claims);
    if (!claim.fields().isEmpty()) {
      all.add(claim);
    }
    return new ManagedFields(all);
  }

  /** The versions in which anybody owns fields. */
  List<String> versions() {
    return claims.stream().map(ManagedFieldsEntry::apiVersion).distinct().sorted().toList();
  }

  /** All fields that anybody owns in a version. */
  FieldSet owned(String apiVersion) {
    return claims.stream()
        .filter(claim -> claim.apiVersion().equals(apiVersion))
        .map(ManagedFieldsEntry::fields)
        .reduce(FieldSet.EMPTY, FieldSet::union);
  }

  /**
   * With so many managers that update as are told apart: the oldest of each version become one,
   * until no more than those are left or none has a companion in its version.
   */
  ManagedFields capped() {
    List<ManagedFieldsEntry> updaters =
        claims.stream().filter(ManagedFieldsEntry::updates).sorted(OLDEST_FIRST).toList();
    int excess = updaters.size() - MAX_UPDATERS;
    if (excess <= 0) {
      return this;
    }
    var oldest = new TreeMap<String, ManagedFieldsEntry>();
    int next = 0;
    for (; excess > 0 && next < updaters.size(); next++) {
      ManagedFieldsEntry updater = updaters.get(next);
      ManagedFieldsEntry companion = oldest.get(updater.apiVersion());
      oldest.put(updater.apiVersion(), companion == null ? updater : updater.ancient(companion));
      excess -= companion == null ? 0 : 1;
    }
    List<ManagedFieldsEntry> left = new ArrayList<>(only(claim -> !claim.updates()).claims);
    left.addAll(oldest.values());
    left.addAll(updaters.subList(next, updaters.size()));
    return new ManagedFields(left);
  }
}
