package dev.sluice.kubernetes.serving;

import dev.sluice.kubernetes.serving.WebServer.Asked;
import dev.sluice.kubernetes.serving.WebServer.Reply;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * Answers hooks and conversions to an API server. The answers depend only on what is asked and on
 * what every user of the cluster may know, so any caller may ask.
 *
 * <p>Threads: safe.
 */
final class WebhookPages implements WebServer.Pages {
  static final String CONVERT = "/convert";

  /** An API server takes objects of up to three megabytes, and a review has up to two. */
  private static final int MAX_REVIEW = 8 << 20;

  /** An API server sends all objects of a list at once. */
  private static final int MAX_CONVERSION = 256 << 20;

  private static final int CONVERSIONS_AT_ONCE = 2;

  private final Map<String, UnaryOperator<Tree>> reviews = new TreeMap<>();
  private final ConversionReviews conversions;
  private final Semaphore conversionsAtOnce = new Semaphore(CONVERSIONS_AT_ONCE);

  WebhookPages(List<HookedKind> kinds, BiFunction<ApiObject, String, ApiObject> converter) {
    for (HookedKind kind : kinds) {
      var answers = new AdmissionReviews(kind.hooks());
      reviews.put(mutatePath(kind), answers::mutate);
      reviews.put(validatePath(kind), answers::validate);
    }
    this.conversions = new ConversionReviews(converter);
  }

  static String mutatePath(HookedKind kind) {
    return "/mutate/" + kind.name();
  }

  static String validatePath(HookedKind kind) {
    return "/validate/" + kind.name();
  }

  @Override
  public Reply answer(Asked asked) {
    if (asked.path().equals(CONVERT)) {
      return converted(asked);
    }
    UnaryOperator<Tree> review = reviews.get(asked.path());
    return review == null
        ? Reply.text(404, "no webhook has the path " + asked.path())
        : Reply.json(200, review.apply(Json.parseTree(asked.body(MAX_REVIEW))));
  }

  private Reply converted(Asked asked) {
    conversionsAtOnce.acquireUninterruptibly();
    try {
      return Reply.json(200, conversions.convert(Json.parseTree(asked.body(MAX_CONVERSION))));
    } finally {
      conversionsAtOnce.release();
    }
  }
}
