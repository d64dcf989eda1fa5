package dev.sluice.kubernetes.serving;

import dev.sluice.kubernetes.UncachedObjects;
import dev.sluice.kubernetes.serving.WebServer.Asked;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;

/**
 * Access to metrics by the rules of the cluster: the API server is asked to whom the bearer token
 * of a request belongs (TokenReview), and whether that user may get the path (SubjectAccessReview).
 *
 * <p>Threads: safe.
 */
final class MetricsGuard {
  private static final ResourceKind REVIEW =
      new ResourceKind("authentication.k8s.io", "v1", "TokenReview", "tokenreviews", false);
  private static final String BEARER = "Bearer ";

  /** Callers without a valid token must not keep the API server busy. */
  private static final int REVIEWS_AT_ONCE = 4;

  private final UncachedObjects objects;
  private final AccessReviews access;
  private final Semaphore reviewsAtOnce = new Semaphore(REVIEWS_AT_ONCE);

  MetricsGuard(UncachedObjects objects) {
    this.objects = objects;
    this.access = new AccessReviews(objects);
  }

  /**
   * Throws unless the caller may read what it asks for.
   *
   * @throws ApiException also if the API server does not say
   */
  void check(Asked asked) {
    String token = token(asked);
    if (!reviewsAtOnce.tryAcquire()) {
      throw ApiFailure.because(
          Reason.TOO_MANY_REQUESTS, "too many callers at once: try again in a second");
    }
    try {
      access.checkPath(caller(token), asked.method().toLowerCase(Locale.ROOT), asked.path());
    } finally {
      reviewsAtOnce.release();
    }
  }

  private static String token(Asked asked) {
    return asked.headers("Authorization").stream()
        .filter(value -> value.regionMatches(true, 0, BEARER, 0, BEARER.length()))
        .map(value -> value.substring(BEARER.length()).strip())
        .filter(token -> !token.isEmpty())
        .findFirst()
        .orElseThrow(() ->
            ApiFailure.because(
                Reason.UNAUTHORIZED,
                "metrics need the token of a user who may get %s: send it as Authorization: Bearer"
                    .formatted(asked.path())));
  }

  private Caller caller(String token) {
    ApiObject review =
        new ApiObject(Tree.of("apiVersion", REVIEW.apiVersion(), "kind", REVIEW.kind()));
    Tree status = objects.create(REVIEW.key(""), review.withSpec(Tree.of("token", token))).status();
    if (!status.flag("authenticated")) {
      throw ApiFailure.because(Reason.UNAUTHORIZED, "the API server does not know this token");
    }
    Tree user = status.tree("user");
    var extra = new TreeMap<String, List<String>>();
    Tree known = user.tree("extra");
    known.names().forEach(name -> extra.put(name, known.textItems(name)));
    return new Caller(user.text("username"), user.textItems("groups"), extra);
  }
}
