package dev.sluice.kubernetes.serving;

import dev.sluice.kubernetes.UncachedObjects;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.runtime.AdmissionHook;
import dev.sluice.runtime.Subscription;
import dev.sluice.runtime.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a real API server ask our admission hooks and our conversion. Serves them with certificates
 * of its own, which are renewed in time, and registers them with the server; every minute it looks
 * whether they still are.
 *
 * <p>Threads: safe. One thread of its own does everything that needs the API server.
 */
public final class Webhooks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Webhooks.class);
  private static final Duration BETWEEN_LOOKS = Duration.ofMinutes(1);

  /** The Secret in the manager's namespace that has the certificates. */
  public static final String SECRET = "sluice-webhook-server-cert";

  /** The Service in the manager's namespace that leads to the webhooks. */
  public static final String SERVICE = "sluice-webhook-service";

  /**
   * What is served, and where.
   *
   * @param listen where to listen
   * @param address how the API server reaches it
   * @param namespace where the manager lives
   * @param converter makes an object one of an apiVersion
   * @param converted the names of the definitions whose objects are converted
   */
  public record Settings(
      HostAndPort listen,
      WebhookAddress address,
      String namespace,
      List<AdmissionHook> hooks,
      BiFunction<ApiObject, String, ApiObject> converter,
      List<String> converted) {
    public Settings {
      hooks = List.copyOf(hooks);
      converted = List.copyOf(converted);
    }
  }

  private final TimeSource time;
  private final CertificateKeeper keeper;
  private final WebhookServer server;
  private final WebhookRegistration registration;

  private final ExecutorService owner =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().name("webhooks").factory());
  private final boolean byUrl;
  private volatile boolean serving;

  // These belong to the owner.
  private boolean registered;
  private Optional<ServingCertificates> certificates = Optional.empty();
  private Subscription nextLook = () -> {};

  public Webhooks(UncachedObjects objects, Settings settings, TimeSource time) {
    this.time = time;
    this.byUrl = settings.address() instanceof WebhookAddress.Url;
    List<HookedKind> kinds = HookedKind.of(settings.hooks());
    var secret =
        switch (settings.address()) {
          case WebhookAddress.Service service ->
              Optional.of(Kinds.SECRET.key(service.namespace(), SECRET));
          case WebhookAddress.Url ignored -> Optional.<dev.sluice.model.ObjectKey>empty();
        };
    this.keeper = new CertificateKeeper(objects, secret, settings.address().names(), time);
    this.server = new WebhookServer(settings.listen(), kinds, settings.converter());
    this.registration =
        new WebhookRegistration(
            objects, settings.address(), settings.namespace(), kinds, settings.converted());
  }

  /**
   * Begins to serve, without telling the API server.
   *
   * @throws IllegalArgumentException if it cannot listen where it should
   */
  public void serve() {
    owned(() -> {
      var first = keeper.current();
      server.start(first.server());
      certificates = Optional.of(first);
      serving = true;
      lookLater();
    });
  }

  public boolean serves() {
    return serving;
  }

  public int port() {
    return server.port();
  }

  /** Tells the API server, and sees to it from now on that it stays told. */
  public void register() {
    owned(() -> {
      registered = true;
      refresh();
    });
  }

  /**
   * Takes back what was registered by URL, if it still is: without us every write would be refused.
   * Behind a Service there are other replicas, or will be.
   */
  public void unregister() {
    owned(() -> {
      if (registered && byUrl) {
        registered = false;
        registration.unregister(server.port());
      }
    });
  }

  private void owned(Runnable task) {
    try {
      owner.submit(task).get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException thrown) {
        throw thrown;
      }
      throw new IllegalStateException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the webhooks", interrupted);
    }
  }

  /** First those who call us learn whom to trust, then we show the new certificate. */
  private void refresh() {
    ServingCertificates now = keeper.current();
    if (registered) {
      registration.register(server.port(), now.bundle());
    }
    if (!certificates.equals(Optional.of(now))) {
      server.use(now.server());
      certificates = Optional.of(now);
    }
  }

  private void lookLater() {
    nextLook = time.after(BETWEEN_LOOKS, () -> owner.execute(this::lookAgain));
  }

  private void lookAgain() {
    try {
      refresh();
    } catch (RuntimeException failed) {
      LOG.warn("the webhooks' registration was not looked at: {}", failed.getMessage());
    }
    lookLater();
  }

  /** Stops to serve. What is registered stays registered. */
  @Override
  public void close() {
    if (!owner.isShutdown()) {
      owned(() -> nextLook.close());
      serving = false;
      owner.close();
      server.close();
    }
  }
}
