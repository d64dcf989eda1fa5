package dev.sluice.apiserver.registry.kind;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;

/** The errors of the registry, with the fields that clients read. */
public final class ApiErrors {
  private ApiErrors() {}

  public static ApiException badRequest(String message) {
    return ApiFailure.because(Reason.BAD_REQUEST, message);
  }

  public static ApiException noSuchSubresource(ObjectKey key, String subresource) {
    return ApiFailure.because(
        Reason.NOT_FOUND,
        "%s have no subresource \"%s\"".formatted(key.kind().plural(), subresource));
  }

  /** The name is taken, perhaps by an object that is being deleted. */
  public static ApiException taken(ObjectKey key, Optional<ApiObject> owner) {
    ApiException plain = ApiFailure.alreadyExists(key);
    boolean leaving = owner.map(ApiObject::isDeleting).orElse(false);
    return leaving
        ? about(key, Reason.ALREADY_EXISTS, "object is being deleted: " + plain.getMessage(), 0)
        : plain;
  }

  /** No free name was found; a retry may find one. */
  public static ApiException noFreeName(ObjectKey key) {
    return about(key, Reason.ALREADY_EXISTS, ApiFailure.alreadyExists(key).failure().message(), 1);
  }

  private static ApiException about(ObjectKey key, Reason reason, String message, int retryAfter) {
    ResourceKind kind = key.kind();
    return new ApiFailure(
            reason, message, kind.group(), kind.plural(), key.name(), List.of(), retryAfter)
        .exception();
  }

  public static ApiException terminatingNamespace(ObjectKey key) {
    ResourceKind kind = key.kind();
    String namespace = key.namespace();
    String message =
        "%s \"%s\" is forbidden: unable to create new content in namespace %s because it is being"
                .formatted(kind.qualifiedPlural(), key.name(), namespace)
            + " terminated";
    var cause =
        new Cause(
            "NamespaceTerminating",
            "metadata.namespace",
            "namespace %s is being terminated".formatted(namespace));
    return new ApiFailure(
            Reason.FORBIDDEN, message, kind.group(), kind.plural(), key.name(), List.of(cause), 0)
        .exception();
  }

  /** A precondition of the request does not hold. The details name the kind. */
  public static ApiException precondition(ObjectKey key, String what, String wanted, String found) {
    ResourceKind kind = key.kind();
    String message =
        "Operation cannot be fulfilled on %s \"%s\": Precondition failed: %s in precondition: %s,"
                .formatted(kind.qualifiedKind(), key.name(), what, wanted)
            + " %s in object meta: %s".formatted(what, found);
    return new ApiFailure(
            Reason.CONFLICT, message, kind.group(), kind.kind(), key.name(), List.of(), 0)
        .exception();
  }

  /** Rejects a request whose preconditions name another uid or another revision. */
  public static void checkPreconditions(ObjectKey key, ApiObject stored, Tree wanted) {
    String uid = wanted.text("uid");
    if (!uid.isEmpty() && !uid.equals(stored.uid())) {
      throw precondition(key, "UID", uid, stored.uid());
    }
    String revision = wanted.text("resourceVersion");
    if (!revision.isEmpty() && !revision.equals(stored.resourceVersion())) {
      throw precondition(key, "ResourceVersion", revision, stored.resourceVersion());
    }
  }

  /** An update without a resourceVersion. The details name the plural. */
  public static ApiException missingRevision(ObjectKey key) {
    ResourceKind kind = key.kind();
    var cause = Cause.invalid("metadata.resourceVersion", "0", "must be specified for an update");
    String message =
        "%s \"%s\" is invalid: %s: %s"
            .formatted(kind.qualifiedPlural(), key.name(), cause.field(), cause.message());
    return new ApiFailure(
            Reason.INVALID, message, kind.group(), kind.plural(), key.name(), List.of(cause), 0)
        .exception();
  }

  public static ApiException tooLarge(ObjectKey key, long bytes, long most) {
    return ApiFailure.because(
        Reason.REQUEST_ENTITY_TOO_LARGE,
        "%s has %d bytes; an object may have at most %d: store large data elsewhere and refer to it"
            .formatted(key, bytes, most));
  }
}
