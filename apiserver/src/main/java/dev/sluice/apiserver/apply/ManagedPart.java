package dev.sluice.apiserver.apply;

import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;

/**
 * What one path writes of the objects of a kind: all of them but the status, or the status alone.
 * It is of one version of the kind, and knows the others.
 *
 * @param subresource the last part of the path, empty for the object itself
 * @param builtIn false for a kind that a CustomResourceDefinition brought
 * @param ignored what the path does not write, so that nobody can claim it there
 */
public record ManagedPart(
    ResourceKind kind,
    Schema schema,
    String subresource,
    boolean builtIn,
    FieldSet ignored,
    Version version) {

  /** A version of a kind, which tells in its own words what the others tell too. */
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

    /** An object, which may be in any version of the kind, in this one. */
    ApiObject in(ApiObject object);

    /** The same part in another version, none if that is not served. */
    Optional<ManagedPart> other(String apiVersion);
  }

  /** What belongs to the server in every object. */
  private static final FieldSet NOBODYS =
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
   * What a path writes.
   *
   * @param splitsStatus whether the status is written apart from the rest
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

  MergeSchema shape() {
    return MergeSchema.of(schema, builtIn);
  }

  /** The same part in a version, none if that is not served. */
  Optional<ManagedPart> in(String apiVersion) {
    return apiVersion.equals(kind.apiVersion()) ? Optional.of(this) : version.other(apiVersion);
  }

  /** An object of the kind, in whatever version, in that of this part. */
  ApiObject told(ApiObject object) {
    return version.in(object);
  }

  /** Of some fields those that a manager can own. */
  FieldSet ownable(FieldSet fields) {
    return fields.minusAllBelow(ignored).minus(NOBODYS);
  }

  Comparison compare(ApiObject before, ApiObject after) {
    return Comparison.of(shape(), comparable(before), comparable(after)).without(ignored);
  }

  private Tree comparable(ApiObject object) {
    Tree tree = ManagedFields.removedFrom(object).tree();
    return builtIn ? Structs.filled(schema, tree) : tree;
  }

  /** An object of the kind without anything in it. */
  ApiObject blank() {
    return new ApiObject(Tree.of("apiVersion", kind.apiVersion(), "kind", kind.kind()));
  }
}
