package dev.sluice.model;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.List;

/**
 * The failure of an API request, as a value: what Kubernetes calls a Status. It travels inside an
 * {@link ApiException} and is rendered once, at the edge.
 *
 * @param kind the value of {@code details.kind}: a plural, except in validation failures
 */
public record ApiFailure(
    Reason reason,
    String message,
    String group,
    String kind,
    String name,
    List<Cause> causes,
    int retryAfterSeconds) {

  /** Kubernetes' reasons, each with its HTTP code. */
  public enum Reason {
    BAD_REQUEST("BadRequest", 400),
    UNAUTHORIZED("Unauthorized", 401),
    FORBIDDEN("Forbidden", 403),
    NOT_FOUND("NotFound", 404),
    METHOD_NOT_ALLOWED("MethodNotAllowed", 405),
    NOT_ACCEPTABLE("NotAcceptable", 406),
    ALREADY_EXISTS("AlreadyExists", 409),
    CONFLICT("Conflict", 409),
    EXPIRED("Expired", 410),
    REQUEST_ENTITY_TOO_LARGE("RequestEntityTooLarge", 413),
    UNSUPPORTED_MEDIA_TYPE("UnsupportedMediaType", 415),
    INVALID("Invalid", 422),
    TOO_MANY_REQUESTS("TooManyRequests", 429),
    INTERNAL_ERROR("InternalError", 500),
    SERVICE_UNAVAILABLE("ServiceUnavailable", 503),
    TIMEOUT("Timeout", 504);

    private final String word;
    private final int code;

    Reason(String word, int code) {
      this.word = word;
      this.code = code;
    }

    public String word() {
      return word;
    }

    public int code() {
      return code;
    }

    /** The reason of a Status, or the one for its code if it has no known reason. */
    public static Reason of(String word, int code) {
      Reason byCode = INTERNAL_ERROR;
      for (Reason reason : values()) {
        if (reason.word.equals(word)) {
          return reason;
        }
        // AlreadyExists shares its code with Conflict, which is what a bare 409 means.
        byCode = reason.code == code ? reason : byCode;
      }
      return byCode;
    }
  }

  /** The error in one field. */
  public record Cause(String reason, String field, String message) {

    public static Cause invalid(String field, Object value, String why) {
      return new Cause("FieldValueInvalid", field, "Invalid value: " + quoted(value) + ": " + why);
    }

    public static Cause required(String field, String why) {
      return new Cause(
          "FieldValueRequired", field, why.isEmpty() ? "Required value" : "Required value: " + why);
    }

    public static Cause notSupported(String field, Object value, List<String> supported) {
      String choices =
          String.join(", ", supported.stream().map(choice -> "\"" + choice + "\"").toList());
      return new Cause(
          "FieldValueNotSupported",
          field,
          "Unsupported value: " + quoted(value) + ": supported values: " + choices);
    }

    public static Cause forbidden(String field, String why) {
      return new Cause("FieldValueForbidden", field, "Forbidden: " + why);
    }

    public static Cause duplicate(String field, Object value) {
      return new Cause("FieldValueDuplicate", field, "Duplicate value: " + quoted(value));
    }

    public static Cause wrongType(String field, Object value, String why) {
      return new Cause(
          "FieldValueTypeInvalid", field, "Invalid value: " + quoted(value) + ": " + why);
    }

    public static Cause tooMany(String field, long count, long most) {
      return new Cause(
          "FieldValueTooMany",
          field,
          "Too many: %d: must have at most %d items".formatted(count, most));
    }

    private static String quoted(Object value) {
      return value instanceof String text ? "\"" + text + "\"" : String.valueOf(value);
    }

    private Tree tree() {
      return Tree.of("reason", reason, "field", field, "message", message);
    }
  }

  public ApiFailure {
    causes = List.copyOf(causes);
  }

  /** A failure that is about no particular object. */
  public static ApiException because(Reason reason, String message) {
    return new ApiFailure(reason, message, "", "", "", List.of(), 0).exception();
  }

  public static ApiException notFound(ObjectKey key) {
    return about(Reason.NOT_FOUND, key, "not found");
  }

  public static ApiException alreadyExists(ObjectKey key) {
    return about(Reason.ALREADY_EXISTS, key, "already exists");
  }

  public static ApiException forbidden(ObjectKey key, String why) {
    return about(Reason.FORBIDDEN, key, "is forbidden: " + why);
  }

  /** The object was changed since the client read it. */
  public static ApiException conflict(ObjectKey key) {
    return conflict(
        key,
        "the object has been modified; please apply your changes to the latest version and try"
            + " again");
  }

  public static ApiException conflict(ObjectKey key, String why) {
    ResourceKind kind = key.kind();
    String message =
        "Operation cannot be fulfilled on %s \"%s\": %s"
            .formatted(kind.qualifiedPlural(), key.name(), why);
    return new ApiFailure(
            Reason.CONFLICT, message, kind.group(), kind.plural(), key.name(), List.of(), 0)
        .exception();
  }

  /** One cause per wrong field. */
  public static ApiException invalid(ResourceKind kind, String name, List<Cause> causes) {
    String message =
        "%s \"%s\" is invalid: %s".formatted(kind.qualifiedKind(), name, problems(causes));
    return new ApiFailure(Reason.INVALID, message, kind.group(), kind.kind(), name, causes, 0)
        .exception();
  }

  /** The denial of an admission webhook, with one cause per field. */
  public static ApiException denied(ResourceKind kind, String name, List<Cause> causes) {
    String message =
        "%s \"%s\" is forbidden: %s".formatted(kind.qualifiedPlural(), name, problems(causes));
    return new ApiFailure(Reason.FORBIDDEN, message, kind.group(), kind.plural(), name, causes, 0)
        .exception();
  }

  private static String problems(List<Cause> causes) {
    List<String> each =
        causes.stream().map(cause -> cause.field() + ": " + cause.message()).toList();
    return each.size() == 1 ? each.getFirst() : "[" + String.join(", ", each) + "]";
  }

  private static ApiException about(Reason reason, ObjectKey key, String what) {
    ResourceKind kind = key.kind();
    String message = "%s \"%s\" %s".formatted(kind.qualifiedPlural(), key.name(), what);
    return new ApiFailure(reason, message, kind.group(), kind.plural(), key.name(), List.of(), 0)
        .exception();
  }

  public ApiException exception() {
    return new ApiException(this);
  }

  /** The Kubernetes Status of this failure. */
  public Tree status() {
    Tree details = Tree.EMPTY;
    details = name.isEmpty() ? details : details.with("name", name);
    details = group.isEmpty() ? details : details.with("group", group);
    details = kind.isEmpty() ? details : details.with("kind", kind);
    if (!causes.isEmpty()) {
      details = details.with("causes", Items.of(causes.stream().map(Cause::tree).toList()));
    }
    if (retryAfterSeconds > 0) {
      details = details.with("retryAfterSeconds", retryAfterSeconds);
    }
    Tree status =
        Tree.of(
            "kind",
            "Status",
            "apiVersion",
            "v1",
            "metadata",
            Tree.EMPTY,
            "status",
            "Failure",
            "message",
            message,
            "reason",
            reason.word(),
            "code",
            reason.code());
    return details.isEmpty() ? status : status.with("details", details);
  }

  /** Reads a Status. */
  public static ApiFailure of(Tree status) {
    Tree details = status.tree("details");
    return new ApiFailure(
        Reason.of(status.text("reason"), (int) status.whole("code").orElse(0)),
        status.text("message"),
        details.text("group"),
        details.text("kind"),
        details.text("name"),
        details.trees("causes").stream()
            .map(cause ->
                new Cause(cause.text("reason"), cause.text("field"), cause.text("message")))
            .toList(),
        (int) details.whole("retryAfterSeconds").orElse(0));
  }
}
