package dev.sluice.apiserver.apply;

import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;

/**
 * The part of a kind's objects that one API path writes: everything but the status, or the status
 * alone. It belongs to one version of the kind and knows the others.
 *
 * @param subresource the last segment of the path, empty for the object itself
 * @param builtIn false for a kind of a CustomResourceDefinition
 * @param ignored the fields that the path does not write, so that no manager can own them through
 *     it
 */
public record ManagedPart(
    ResourceKind kind,
    Schema schema,
    String subresource,
    boolean builtIn,
    FieldSet ignored,
    Version version) {

  /** A version of a kind, with its conversions from and to the others. */
  public interface Version {

    /** The version of a kind that has no other. */
    Version ONLY =
        new Version() {
          @Override
          public ApiObject in(ApiObject object) {
            return object;
          }

          @Override
          public Optional<ManagedPart> other(String apiVersion) {
            return Optional.empty();
          }
        };

    /** Converts an object from any version of the kind to this one. */
    ApiObject in(ApiObject object);

    /** The same part in another version, none if that is not served. */
    Optional<ManagedPart> other(String apiVersion);
  }

  /** The fields that belong to the server in every object. */
  private static final FieldSet SERVER_OWNED =
      List.of(
              "name",
              "namespace",
              "uid",
              "resourceVersion",
              "generation",
              "creationTimestamp",
              "selfLink",
              "managedFields")
          .stream()
          .map(name -> FieldSet.of("metadata", name))
          .reduce(FieldSet.EMPTY, FieldSet::union)
          .union(FieldSet.of("apiVersion"))
          .union(FieldSet.of("kind"))
          .union(FieldSet.of("metadata"));

  private static final FieldSet SPEC = FieldSet.of("spec");
  private static final FieldSet STATUS = FieldSet.of("status");
  private static final FieldSet SPEC_AND_METADATA = SPEC.union(FieldSet.of("metadata"));
  private static final FieldSet SPEC_AND_OWNERS =
      SPEC.union(FieldSet.of("metadata", "ownerReferences"));

  /**
   * The part that a path writes.
   *
   * @param splitsStatus whether the status is a subresource
   */
  public static ManagedPart of(
      ResourceKind kind,
      Schema schema,
      String subresource,
      boolean builtIn,
      boolean splitsStatus,
      Version version) {
    FieldSet ignored =
        switch (subresource) {
          case "" -> splitsStatus ? STATUS : FieldSet.EMPTY;
          case "status" -> builtIn ? besideBuiltInStatus(kind) : besideCustomStatus(schema);
          default -> FieldSet.EMPTY;
        };
    return new ManagedPart(kind, schema, subresource, builtIn, ignored, version);
  }

  private static FieldSet besideBuiltInStatus(ResourceKind kind) {
    return switch (kind.kind()) {
      case "Pod" -> SPEC_AND_OWNERS;
      case "CustomResourceDefinition" -> SPEC_AND_METADATA;
      default -> SPEC;
    };
  }

  private static FieldSet besideCustomStatus(Schema schema) {
    return schema.properties().keySet().stream()
        .filter(name -> !name.equals("status"))
        .map(name -> FieldSet.of(name))
        .reduce(FieldSet.of("metadata"), FieldSet::union);
  }

  MergeSchema mergeSchema() {
    return MergeSchema.of(schema, builtIn);
  }

  /** The same part in a version, none if that is not served. */
  Optional<ManagedPart> in(String apiVersion) {
    return apiVersion.equals(kind.apiVersion()) ? Optional.of(this) : version.other(apiVersion);
  }

  /** Converts an object of the kind to the version of this part. */
  ApiObject convert(ApiObject object) {
    return version.in(object);
  }

  /** Those of the fields that a manager can own. */
  FieldSet ownable(FieldSet fields) {
    return fields.minusAllBelow(ignored).minus(SERVER_OWNED);
  }

  Comparison compare(ApiObject before, ApiObject after) {
    return Comparison.of(mergeSchema(), comparable(before), comparable(after)).without(ignored);
  }

  private Tree comparable(ApiObject object) {
    Tree tree = ManagedFields.removedFrom(object).tree();
    return builtIn ? Structs.filled(schema, tree) : tree;
  }

  /** An empty object of the kind. */
  ApiObject blank() {
    return new ApiObject(Tree.of("apiVersion", kind.apiVersion(), "kind", kind.kind()));
  }
}
