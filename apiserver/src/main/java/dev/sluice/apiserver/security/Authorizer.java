package dev.sluice.apiserver.security;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import java.util.List;

/**
 * The authorization of requests: {@code system:masters} may do everything, other users may only
 * read the version and the health of the server.
 */
public final class Authorizer {
  private static final List<String> PUBLIC = List.of("/version", "/healthz", "/livez", "/readyz");

  /** An access to objects; attributes that do not apply are empty. */
  public record Access(
      String verb,
      String group,
      String resource,
      String subresource,
      String namespace,
      String name) {

    private String what() {
      return subresource.isEmpty() ? resource : resource + "/" + subresource;
    }
  }

  /** Throws unless the user has this access. */
  public void check(User user, Access access) {
    if (!allowsEverything(user)) {
      throw refusal(user, access);
    }
  }

  public boolean allowsEverything(User user) {
    return user.isIn(User.MASTERS);
  }

  /** Throws unless the user may access a non-resource path. */
  public void checkPath(User user, String verb, String path) {
    boolean open = verb.equals("get") && PUBLIC.stream().anyMatch(known -> isAt(path, known));
    if (!open && !allowsEverything(user)) {
      throw refusal(user, verb, path);
    }
  }

  /** The error for an access to a non-resource path that is forbidden. */
  public static ApiException refusal(User user, String verb, String path) {
    return ApiFailure.because(
        Reason.FORBIDDEN,
        "forbidden: User \"%s\" cannot %s path \"%s\"".formatted(user.name(), verb, path));
  }

  private static boolean isAt(String path, String known) {
    return path.equals(known) || path.startsWith(known + "/");
  }

  /** The error for an access that is forbidden. */
  public static ApiException refusal(User user, Access access) {
    String qualified =
        access.group().isEmpty() ? access.resource() : access.resource() + "." + access.group();
    String subject = access.name().isEmpty() ? qualified : qualified + " \"" + access.name() + "\"";
    String where =
        access.namespace().isEmpty()
            ? "at the cluster scope"
            : "in the namespace \"" + access.namespace() + "\"";
    String message =
        "%s is forbidden: User \"%s\" cannot %s resource \"%s\" in API group \"%s\" %s"
            .formatted(subject, user.name(), access.verb(), access.what(), access.group(), where);
    return new ApiFailure(
            Reason.FORBIDDEN,
            message,
            access.group(),
            access.resource(),
            access.name(),
            List.of(),
            0)
        .exception();
  }
}
