package dev.sluice.apiserver.http.request;

import dev.sluice.apiserver.patch.PatchType;
import dev.sluice.apiserver.patch.SchemaMergeRules;
import dev.sluice.apiserver.registry.WriteOptions;
import dev.sluice.apiserver.registry.kind.ServedKind;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.patch.JsonPatch;
import dev.sluice.model.patch.MergeStyle;
import dev.sluice.model.patch.StrategicMergePatch;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.http.HttpHeader;

/** The parser of patches. */
public final class Patches {
  private static final StrategicMergePatch STRATEGIC_MERGE =
      new StrategicMergePatch(MergeStyle.KUBERNETES);

  private Patches() {}

  /** The patch types that a kind accepts. */
  public static Set<PatchType> taken(ServedKind kind) {
    return kind.builtIn() ? PatchType.FOR_BUILT_INS : PatchType.FOR_CUSTOM_RESOURCES;
  }

  /** The type of the patch in a request. */
  public static PatchType type(ResourceRequest operation) {
    return PatchType.of(operation.call().header(HttpHeader.CONTENT_TYPE), taken(operation.kind()));
  }

  /** The function that a patch of any type but {@link PatchType#APPLY} applies to an object. */
  public static UnaryOperator<Tree> of(
      PatchType type, ResourceRequest operation, WriteOptions options) {
    ServedKind kind = operation.kind();
    if (operation.call().query().has("force")) {
      throw operation.invalid(
          List.of(Cause.forbidden("force", "may not be specified for non-apply patch")));
    }
    Value body = Bodies.patch(operation.call(), options);
    return switch (type) {
      case JSON -> object -> JsonPatch.apply(object, body);
      case MERGE -> {
        Tree changes = changes(body);
        yield object -> MergePatch.apply(object, changes);
      }
      case STRATEGIC -> {
        var rules = new SchemaMergeRules(kind.schema());
        yield object -> STRATEGIC_MERGE.apply(object, body, rules);
      }
      case APPLY ->
          throw new IllegalArgumentException("an applied configuration is no change by itself");
    };
  }

  private static Tree changes(Value body) {
    if (body instanceof Tree changes) {
      return changes;
    }
    throw ApiFailure.because(
        Reason.BAD_REQUEST, "a merge patch is an object of changes, but this one is " + body);
  }
}
