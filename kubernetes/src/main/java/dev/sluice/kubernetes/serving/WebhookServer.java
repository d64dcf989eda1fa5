package dev.sluice.kubernetes.serving;

import dev.sluice.apiserver.security.Credential;
import dev.sluice.kubernetes.serving.WebServer.Answer;
import dev.sluice.kubernetes.serving.WebServer.Asked;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * Serves hooks and conversions to an API server, over TLS. Its answers depend only on what it is
 * asked and on what everybody in the cluster may know, so it lets anybody ask.
 *
 * <p>Threads: safe.
 */
final class WebhookServer implements AutoCloseable {
  static final String CONVERT = "/convert";

  /** An API server takes objects of up to three megabytes, and a review has up to two. */
  private static final int LONGEST_REVIEW = 8 << 20;

  /** An API server sends all objects of a list at once. */
  private static final int LONGEST_CONVERSION = 256 << 20;

  private static final int CONVERSIONS_AT_ONCE = 2;

  private final SslContextFactory.Server tls = new SslContextFactory.Server();
  private final Map<String, UnaryOperator<Tree>> reviews = new TreeMap<>();
  private final ConversionReviews conversions;
  private final Semaphore conversionsAtOnce = new Semaphore(CONVERSIONS_AT_ONCE);
  private final WebServer server;

  WebhookServer(
      HostAndPort address,
      List<HookedKind> kinds,
      BiFunction<ApiObject, String, ApiObject> converter) {
    for (HookedKind kind : kinds) {
      var answers = new AdmissionReviews(kind.hooks());
      reviews.put(mutatePath(kind), answers::mutate);
      reviews.put(validatePath(kind), answers::validate);
    }
    this.conversions = new ConversionReviews(converter);
    tls.setSniRequired(false);
    this.server = new WebServer("webhooks", address, Optional.of(tls), this::answer);
  }

  static String mutatePath(HookedKind kind) {
    return "/mutate/" + kind.name();
  }

  static String validatePath(HookedKind kind) {
    return "/validate/" + kind.name();
  }

  /** Begins to serve with a certificate. */
  void start(Credential credential) {
    tls.setSslContext(context(credential));
    server.start();
  }

  /** Serves new connections with another certificate. */
  void use(Credential credential) {
    try {
      tls.reload(factory -> factory.setSslContext(context(credential)));
    } catch (Exception impossible) {
      throw new IllegalStateException("the webhooks' certificate cannot be used", impossible);
    }
  }

  private static SSLContext context(Credential credential) {
    try {
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      Certificate[] chain = {credential.certificate()};
      store.setKeyEntry("webhooks", credential.key(), new char[0], chain);
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, new char[0]);
      var context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException | IOException impossible) {
      throw new IllegalStateException("the webhooks' certificate cannot be used", impossible);
    }
  }

  private Answer answer(Asked asked) {
    if (asked.path().equals(CONVERT)) {
      return converted(asked);
    }
    UnaryOperator<Tree> review = reviews.get(asked.path());
    return review == null
        ? Answer.text(404, "no webhook has the path " + asked.path())
        : json(review.apply(Json.parseTree(asked.body(LONGEST_REVIEW))));
  }

  private Answer converted(Asked asked) {
    conversionsAtOnce.acquireUninterruptibly();
    try {
      return json(conversions.convert(Json.parseTree(asked.body(LONGEST_CONVERSION))));
    } finally {
      conversionsAtOnce.release();
    }
  }

  private static Answer json(Tree tree) {
    return new Answer(200, "application/json", Json.bytes(tree));
  }

  int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.close();
  }
}
