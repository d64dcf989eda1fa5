package dev.sluice.apiserver.apply;

import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.Comparator;

/**
 * The fields of an object that one manager owns: one entry of {@code metadata.managedFields}.
 *
 * @param subresource the subresource it wrote to, empty for the object itself
 * @param time the timestamp of its last change of ownership; empty if that is unknown
 */
public record ManagedFieldsEntry(
    String manager,
    Operation operation,
    String apiVersion,
    String subresource,
    String time,
    FieldSet fields) {

  static final String FIELDS_TYPE = "FieldsV1";

  /** The order of entries in an object. */
  static final Comparator<ManagedFieldsEntry> ORDER =
      Comparator.comparing(ManagedFieldsEntry::operation)
          .thenComparing(ManagedFieldsEntry::moment)
          .thenComparing(ManagedFieldsEntry::manager)
          .thenComparing(ManagedFieldsEntry::apiVersion)
          .thenComparing(ManagedFieldsEntry::subresource);

  /** Whether both belong to the same manager: an applier has one entry for all versions. */
  boolean sameOwner(ManagedFieldsEntry other) {
    return manager.equals(other.manager)
        && operation == other.operation
        && subresource.equals(other.subresource)
        && (operation == Operation.APPLY || apiVersion.equals(other.apiVersion));
  }

  /** Whether both own the same fields, in the same version. */
  boolean saysTheSame(ManagedFieldsEntry other) {
    return apiVersion.equals(other.apiVersion) && fields.equals(other.fields);
  }

  Instant moment() {
    return Timestamps.parse(time).orElse(Instant.EPOCH);
  }

  boolean updates() {
    return operation == Operation.UPDATE;
  }

  /** This entry merged with an older one. */
  ManagedFieldsEntry ancient(ManagedFieldsEntry older) {
    return new ManagedFieldsEntry(
        ManagedFields.ANCIENT, Operation.UPDATE, apiVersion, "", time, fields.union(older.fields));
  }

  ManagedFieldsEntry with(FieldSet changed) {
    return new ManagedFieldsEntry(manager, operation, apiVersion, subresource, time, changed);
  }

  ManagedFieldsEntry at(String newTime) {
    return new ManagedFieldsEntry(manager, operation, apiVersion, subresource, newTime, fields);
  }

  /** The owner as conflict messages name it. */
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
  static ManagedFieldsEntry parse(Tree entry) {
    if (!entry.text("fieldsType").equals(FIELDS_TYPE)) {
      throw new MalformedText("fieldsType must be " + FIELDS_TYPE + ": " + entry);
    }
    return new ManagedFieldsEntry(
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
