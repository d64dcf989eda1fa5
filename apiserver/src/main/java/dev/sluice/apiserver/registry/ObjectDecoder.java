package dev.sluice.apiserver.registry;

import dev.sluice.apiserver.protobuf.BuiltInSchemas;
import dev.sluice.apiserver.registry.kind.ApiErrors;
import dev.sluice.apiserver.registry.kind.RuledKind;
import dev.sluice.apiserver.schema.Pruning.Pruned;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The decoder of objects in requests: checks that an object is of the kind, drops unknown fields
 * and warns of them, and normalizes the metadata.
 *
 * <p>Parts that equal those of the replaced object, or of another object that was read, have been
 * decoded before and are not looked at again: most writes change little, and many objects are made
 * from the same template. Custom kinds are decoded in full, since their schemas change.
 */
final class ObjectDecoder {
  /** The kind of request a body comes from, which decides the error that the client gets. */
  enum Origin {
    WRITTEN,
    PATCHED
  }

  private final RuledKind ruled;
  private final WriteOptions options;
  private final Origin origin;

  ObjectDecoder(RuledKind ruled, WriteOptions options, Origin origin) {
    this.ruled = ruled;
    this.options = options;
    this.origin = origin;
  }

  /** The new object in the body. */
  ApiObject read(Tree body) {
    return read(body, Tree.EMPTY);
  }

  /** The object in the body, parts of which may equal those of an object that was read before. */
  ApiObject read(Tree body, Optional<ApiObject> known) {
    boolean remembers = ruled.served().builtIn();
    return read(body, known.filter(_ -> remembers).map(ApiObject::tree).orElse(Tree.EMPTY));
  }

  private ApiObject read(Tree body, Tree before) {
    Tree typed = withType(body);
    if (!(typed.at("metadata") instanceof Tree) && typed.at("metadata") != Value.Null.NULL) {
      throw ApiErrors.badRequest("metadata is not an object but " + typed.at("metadata"));
    }
    Tree known = prune(typed, before);
    List<Cause> wrong = wrongTypes(known, before);
    if (!wrong.isEmpty()) {
      throw unreadable(known, wrong);
    }
    return new ApiObject(known.with("metadata", normal(known.tree("metadata"))));
  }

  private Tree withType(Tree body) {
    String apiVersion = ruled.kind().apiVersion();
    String kind = ruled.kind().kind();
    Tree typed = body;
    if (ruled.served().builtIn() && body.text("apiVersion").isEmpty()) {
      typed = typed.with("apiVersion", apiVersion);
    }
    if (ruled.served().builtIn() && body.text("kind").isEmpty()) {
      typed = typed.with("kind", kind);
    }
    if (!typed.text("apiVersion").equals(apiVersion)) {
      throw ApiErrors.badRequest(
          "the API version in the data (%s) does not match the expected API version (%s)"
              .formatted(typed.text("apiVersion"), apiVersion));
    }
    if (!typed.text("kind").equals(kind)) {
      throw ApiErrors.badRequest(
          "the kind in the data (%s) does not match the expected kind (%s)"
              .formatted(typed.text("kind"), kind));
    }
    return typed;
  }

  private Tree prune(Tree body, Tree before) {
    Pruned pruned = ruled.served().schema().prune(body, before);
    var unknown = new ArrayList<>(pruned.dropped());
    Tree known = pruned.tree();
    if (!ruled.served().builtIn()) {
      Pruned metadata = BuiltInSchemas.objectMeta().prune(known.tree("metadata"));
      metadata.dropped().forEach(path -> unknown.add("metadata." + path));
      known = known.with("metadata", metadata.tree());
    }
    if (!unknown.isEmpty()) {
      report(unknown.stream().map(path -> "unknown field \"" + path + "\"").toList(), known);
    }
    return known;
  }

  private void report(List<String> problems, Tree known) {
    switch (options.fieldValidation()) {
      case IGNORE -> {}
      case WARN -> problems.forEach(options.warnings());
      case STRICT -> throw strict("strict decoding error: " + String.join(", ", problems), known);
    }
  }

  private ApiException strict(String problem, Tree known) {
    return switch (origin) {
      case WRITTEN -> ApiErrors.badRequest(ruled.served().builtIn() ? unhandled(problem) : problem);
      case PATCHED -> badPatch(problem, known);
    };
  }

  private String unhandled(String problem) {
    return "%s in version \"%s\" cannot be handled as a %s: %s"
        .formatted(ruled.kind().kind(), ruled.kind().version(), ruled.kind().kind(), problem);
  }

  private ApiException badPatch(String problem, Tree known) {
    return ApiFailure.invalid(
        ruled.kind(), known.text("metadata", "name"), List.of(Cause.invalid("patch", "", problem)));
  }

  /**
   * The fields with values of the wrong type. The fields of a custom kind are checked later,
   * together with all its rules; duplicate list elements are left to the rules of the kind.
   */
  private List<Cause> wrongTypes(Tree known, Tree before) {
    List<Cause> wrong =
        ruled.served().builtIn()
            ? ruled.served().schema().validateUpdate(before, known)
            : BuiltInSchemas.objectMeta().validate(known.tree("metadata"));
    return wrong.isEmpty()
        ? wrong
        : wrong.stream().filter(cause -> !cause.reason().equals("FieldValueDuplicate")).toList();
  }

  private ApiException unreadable(Tree known, List<Cause> wrong) {
    String problems =
        String.join(
            ", ", wrong.stream().map(cause -> cause.field() + ": " + cause.message()).toList());
    return switch (origin) {
      case WRITTEN -> ApiErrors.badRequest(unhandled(problems));
      case PATCHED -> badPatch(problems, known);
    };
  }

  /** Drops empty fields, and fields that only the server writes. */
  private static Tree normal(Tree metadata) {
    Tree normal = metadata.without("selfLink");
    for (int i = 0; i < metadata.size(); i++) {
      String name = metadata.nameAt(i);
      boolean empty =
          switch (metadata.valueAt(i)) {
            case Value.Text(String text) -> text.isEmpty();
            case Tree tree -> tree.isEmpty();
            case Items(List<Value> items) -> items.isEmpty();
            case Value.Null _ -> true;
            case Value.Whole _, Value.Decimal _, Value.Flag _ -> false;
          };
      // An empty list of managed fields resets them.
      boolean says = name.equals("managedFields") && metadata.valueAt(i) instanceof Items;
      normal = empty && !says ? normal.without(name) : normal;
    }
    return normal;
  }
}
