package dev.sluice.apiserver.http;

import dev.sluice.apiserver.patch.JsonPatch;
import dev.sluice.apiserver.patch.PatchType;
import dev.sluice.apiserver.patch.StrategicMergePatch;
import dev.sluice.apiserver.registry.ServedKind;
import dev.sluice.apiserver.registry.WriteOptions;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpHeader;

/** Reads patches. Server-side apply is the one kind of patch that is not taken. */
public final class Patches {
  private Patches() {}

  /** The types of patches that objects of a kind take. */
  public static Set<PatchType> taken(ServedKind kind) {
    Set<PatchType> types =
        EnumSet.copyOf(kind.builtIn() ? PatchType.FOR_BUILT_INS : PatchType.FOR_CUSTOM_RESOURCES);
    types.remove(PatchType.APPLY);
    return types;
  }

  /** What the body of a patch does to an object. */
  static UnaryOperator<Tree> of(Operation operation, WriteOptions options) {
    ServedKind kind = operation.kind();
    String header = operation.call().header(HttpHeader.CONTENT_TYPE);
    Set<PatchType> taken = taken(kind);
    if (MediaRange.parse(header).type().startsWith("application/apply-patch")) {
      throw ApiFailure.because(
          Reason.UNSUPPORTED_MEDIA_TYPE,
          "server-side apply is not supported yet; send one of: "
              + taken.stream().map(PatchType::contentType).collect(Collectors.joining(", "))
              + ", which kubectl apply does without --server-side");
    }
    PatchType type = PatchType.of(header, taken);
    Value body = Bodies.patch(operation.call(), options);
    return switch (type) {
      case JSON -> object -> JsonPatch.apply(object, body);
      case MERGE -> {
        Tree changes = changes(body);
        yield object -> MergePatch.apply(object, changes);
      }
      case STRATEGIC -> object -> StrategicMergePatch.apply(object, body, kind.schema());
      case APPLY -> throw new IllegalStateException("refused above: " + type);
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
