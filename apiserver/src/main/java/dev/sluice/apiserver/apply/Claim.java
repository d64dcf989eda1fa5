package dev.sluice.apiserver.apply;

import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.Comparator;

/**
 * The fields of an object that one manager owns: one entry of {@code metadata.managedFields}.
 *
 * @param subresource the one it wrote through, empty for the object itself
 * @param time when it last claimed a field, as a timestamp; empty if that is unknown
 */
public record Claim(
    String manager,
    Operation operation,
    String apiVersion,
    String subresource,
    String time,
    FieldSet fields) {

  static final String FIELDS_TYPE = "FieldsV1";

  /** The order in which clients see claims. */
  static final Comparator<Claim> ORDER =
      Comparator.comparing(Claim::operation)
          .thenComparing(Claim::moment)
          .thenComparing(Claim::manager)
          .thenComparing(Claim::apiVersion)
          .thenComparing(Claim::subresource);

  /** Whether both are the same manager's: one that applies has one claim for all versions. */
  boolean sameOwner(Claim other) {
    return manager.equals(other.manager)
        && operation == other.operation
        && subresource.equals(other.subresource)
        && (operation == Operation.APPLY || apiVersion.equals(other.apiVersion));
  }

  /** Whether both claim the same, in the same version. */
  boolean saysTheSame(Claim other) {
    return apiVersion.equals(other.apiVersion) && fields.equals(other.fields);
  }

  Instant moment() {
    return Timestamps.parse(time).orElse(Instant.EPOCH);
  }

  boolean updates() {
    return operation == Operation.UPDATE;
  }

  /** This claim and an older one as that of the many that are no longer told apart. */
  Claim ancient(Claim older) {
    return new Claim(
        ManagedFields.ANCIENT, Operation.UPDATE, apiVersion, "", time, fields.union(older.fields));
  }

  Claim with(FieldSet changed) {
    return new Claim(manager, operation, apiVersion, subresource, time, changed);
  }

  Claim at(String moment) {
    return new Claim(manager, operation, apiVersion, subresource, moment, fields);
  }

  /** As conflicts name the owner. */
  String shown() {
    String through = subresource.isEmpty() ? "" : " with subresource \"" + subresource + "\"";
    String how = operation == Operation.UPDATE ? " using " + apiVersion : "";
    return "\"" + manager + "\"" + through + how;
  }

  /**
   * Reads an entry.
   *
   * @throws MalformedText if it is not one
   */
  static Claim parse(Tree entry) {
    if (!entry.text("fieldsType").equals(FIELDS_TYPE)) {
      throw new MalformedText("fieldsType must be " + FIELDS_TYPE + ": " + entry);
    }
    return new Claim(
        entry.text("manager"),
        Operation.named(entry.text("operation"))
            .orElseThrow(() -> new MalformedText("operation must be Apply or Update: " + entry)),
        entry.text("apiVersion"),
        entry.text("subresource"),
        entry.text("time"),
        FieldSet.parse(entry.tree("fieldsV1")));
  }

  Tree written() {
    Tree entry =
        Tree.of(
            "manager",
            manager,
            "operation",
            operation.word(),
            "apiVersion",
            apiVersion,
            "fieldsType",
            FIELDS_TYPE,
            "fieldsV1",
            fields.written());
    entry = subresource.isEmpty() ? entry : entry.with("subresource", subresource);
    return time.isEmpty() ? entry : entry.with("time", time);
  }
}
