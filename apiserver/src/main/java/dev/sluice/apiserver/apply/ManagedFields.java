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

/** The owners of the fields of an object: its {@code metadata.managedFields}. No entry is empty. */
public record ManagedFields(List<ManagedFieldsEntry> claims) {
  public static final ManagedFields NONE = new ManagedFields(List.of());

  /** The number of updating managers that keep an entry of their own. */
  static final int MAX_UPDATERS = 10;

  /** The manager into which the oldest of them are merged. */
  static final String ANCIENT = "ancient-changes";

  /** Entries that are merged already come first, whatever the time of their latest change. */
  private static final Comparator<ManagedFieldsEntry> OLDEST_FIRST =
      Comparator.comparing((ManagedFieldsEntry claim) -> !claim.manager().equals(ANCIENT))
          .thenComparing(ManagedFieldsEntry.ORDER);

  private static final String FIELD = "managedFields";

  public ManagedFields {
    claims = List.copyOf(claims);
  }

  /** Whether an object has managed fields. */
  static boolean in(ApiObject object) {
    return object.metadata().has(FIELD);
  }

  /** The managed fields of an object; none if they cannot be read. */
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
   * The managed fields that a write starts from: those in the request, unless they are absent or
   * unreadable, since most clients do not know of them. An empty list, or a list of empty entries,
   * resets them.
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

  /** The object with these managed fields. */
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

  /** An object with the managed fields of another one. */
  public static ApiObject copied(ApiObject from, ApiObject to) {
    return in(from) ? to.withMetadata(FIELD, from.metadata().at(FIELD)) : removedFrom(to);
  }

  static ApiObject removedFrom(ApiObject object) {
    return object.withoutMetadata(FIELD);
  }

  /** The object after a write, or the one before it if they differ only in times. */
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

  /** The entry of the same owner. */
  Optional<ManagedFieldsEntry> find(ManagedFieldsEntry owner) {
    return claims.stream().filter(owner::sameOwner).findFirst();
  }

  ManagedFields only(Predicate<ManagedFieldsEntry> condition) {
    return new ManagedFields(claims.stream().filter(condition).toList());
  }

  /** These managed fields with some entries changed; entries that become empty are dropped. */
  ManagedFields each(UnaryOperator<ManagedFieldsEntry> change) {
    return new ManagedFields(
        claims.stream().map(change).filter(claim -> !claim.fields().isEmpty()).toList());
  }

  /** These managed fields with an entry in place of the one that its owner had. */
  ManagedFields with(ManagedFieldsEntry claim) {
    List<ManagedFieldsEntry> all = new ArrayList<>(only(other -> !other.sameOwner(claim)).claims);
    if (!claim.fields().isEmpty()) {
      all.add(claim);
    }
    return new ManagedFields(all);
  }

  /** The versions in which fields are owned. */
  List<String> versions() {
    return claims.stream().map(ManagedFieldsEntry::apiVersion).distinct().sorted().toList();
  }

  /** All fields that are owned in a version. */
  FieldSet owned(String apiVersion) {
    return claims.stream()
        .filter(claim -> claim.apiVersion().equals(apiVersion))
        .map(ManagedFieldsEntry::fields)
        .reduce(FieldSet.EMPTY, FieldSet::union);
  }

  /**
   * These managed fields with a limited number of updating managers: the oldest entries of each
   * version are merged until the limit is met or no version has two entries to merge.
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
