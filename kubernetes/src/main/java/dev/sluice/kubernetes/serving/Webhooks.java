package dev.sluice.kubernetes.serving;

import dev.sluice.kubernetes.UncachedObjects;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.runtime.AdmissionHook;
import dev.sluice.runtime.TimeSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Lets a real API server ask our admission hooks and our conversion.
 *
 * <p>Threads: safe.
 */
public final class Webhooks implements AutoCloseable {
  /** The Secret in the manager's namespace that has the certificates, if no other is named. */
  public static final String SECRET = "sluice-webhook-server-cert";

  /** The Service in the manager's namespace that leads to the webhooks, if no other is named. */
  public static final String SERVICE = "sluice-webhook-service";

  /** With which certificates we serve. */
  public sealed interface Certificates {
    /** Some of our own, renewed in time; replicas behind a Service share them in a Secret. */
    record Made(String secret) implements Certificates {}

    /** Those that another program puts into a folder. */
    record InFolder(Path folder) implements Certificates {}
  }

  /**
   * What is served, and where.
   *
   * @param name of what asks; two managers that do different things need two
   * @param listen where to listen
   * @param tls how the API server must speak
   * @param address how it reaches us
   * @param namespace where the manager lives
   * @param converter makes an object one of an apiVersion
   * @param converted the names of the definitions whose objects are converted
   */
  public record Settings(
      String name,
      HostAndPort listen,
      TlsPolicy tls,
      WebhookAddress address,
      Certificates certificates,
      String namespace,
      List<AdmissionHook> hooks,
      BiFunction<ApiObject, String, ApiObject> converter,
      List<String> converted) {
    public Settings {
      hooks = List.copyOf(hooks);
      converted = List.copyOf(converted);
    }
  }

  private final CalledServer server;
  private final boolean byUrl;

  public Webhooks(UncachedObjects objects, Settings settings, TimeSource time) {
    this.byUrl = settings.address() instanceof WebhookAddress.Url;
    List<HookedKind> kinds = HookedKind.of(settings.hooks());
    var tls = ServingTls.forAnybody(settings.tls());
    var pages = new WebhookPages(kinds, settings.converter());
    var registration =
        new WebhookRegistration(
            objects,
            settings.name(),
            settings.address(),
            settings.namespace(),
            kinds,
            settings.converted());
    this.server =
        new CalledServer(
            "webhooks",
            source(objects, settings, time),
            tls,
            new WebServer("webhooks", settings.listen(), Optional.of(tls), pages),
            registration,
            time);
  }

  private static ServingCertificate.Source source(
      UncachedObjects objects, Settings settings, TimeSource time) {
    return switch (settings.certificates()) {
      case Certificates.InFolder(Path folder) -> new CertificateDirectory(folder);
      case Certificates.Made(String secret) -> {
        Optional<ObjectKey> shared =
            switch (settings.address()) {
              case WebhookAddress.Service service ->
                  Optional.of(Kinds.SECRET.key(service.namespace(), secret));
              case WebhookAddress.Url _ -> Optional.empty();
            };
        yield new CertificateKeeper(objects, shared, settings.address().names(), time);
      }
    };
  }

  /**
   * Begins to serve, without telling the API server.
   *
   * @throws IllegalArgumentException if it cannot listen where it should, or finds no certificate
   */
  public void serve() {
    server.serve();
  }

  /** Whether replicas are reached under the same address. */
  public boolean isShared() {
    return !byUrl;
  }

  /** Whether they listen, with a certificate. */
  public boolean serves() {
    return server.serves();
  }

  /** Whether the API server knows where they are: it calls them from its next request on. */
  public boolean isRegistered() {
    return server.isRegistered();
  }

  /** Registers with the API server, and keeps the registration up to date. */
  public void register() {
    server.register();
  }

  /**
   * Takes back what was registered by URL, if it still is: no server would answer there. Behind a
   * Service there are other replicas, or will be.
   */
  public void unregister() {
    if (byUrl) {
      server.unregister();
    }
  }

  /** Stops to serve. What is registered stays registered. */
  @Override
  public void close() {
    server.close();
  }
}
