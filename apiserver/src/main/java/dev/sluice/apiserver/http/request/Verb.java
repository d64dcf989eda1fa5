package dev.sluice.apiserver.http.request;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;

/** The verbs of discovery and authorization. */
public enum Verb {
  GET("get"),
  LIST("list"),
  WATCH("watch"),
  CREATE("create"),
  UPDATE("update"),
  PATCH("patch"),
  DELETE("delete"),
  DELETE_COLLECTION("deletecollection");

  private final String word;

  Verb(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }

  public boolean writes() {
    return switch (this) {
      case GET, LIST, WATCH -> false;
      case CREATE, UPDATE, PATCH, DELETE, DELETE_COLLECTION -> true;
    };
  }

  public static Verb of(String method, RequestPath.Objects target, Query query) {
    boolean one = !target.name().isEmpty();
    return switch (method) {
      case "GET" -> {
        boolean watches = target.watched() || (!one && query.flag("watch"));
        yield watches ? WATCH : one ? GET : LIST;
      }
      case "POST" -> CREATE;
      case "PUT" -> UPDATE;
      case "PATCH" -> PATCH;
      case "DELETE" -> one ? DELETE : DELETE_COLLECTION;
      default -> throw notAllowed();
    };
  }

  public static RuntimeException notAllowed() {
    return ApiFailure.because(
        Reason.METHOD_NOT_ALLOWED,
        "the server does not allow this method on the requested resource");
  }
}
