package dev.sluice.kubernetes.serving;

import dev.sluice.kubernetes.UncachedObjects;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.runtime.ComputedApi;
import dev.sluice.runtime.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a computed API as a part of a real API server, which authenticates people, asks us for
 * them, and is asked by us whether they may.
 *
 * <p>Threads: safe.
 */
public final class AggregatedApi implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AggregatedApi.class);

  /** The Secret in the manager's namespace that has the certificates. */
  public static final String SECRET = "sluice-visibility-server-cert";

  /**
   * What is served, and where.
   *
   * @param tls how it must speak
   * @param address how the API server reaches it
   * @param group the group it serves
   * @param versions the group's versions
   * @param api what answers now; it may be another one later
   */
  public record Settings(
      HostAndPort listen,
      TlsPolicy tls,
      ApiAddress address,
      String group,
      List<String> versions,
      Supplier<ComputedApi> api) {
    public Settings {
      versions = List.copyOf(versions);
    }
  }

  /** An API server needs a second or two to find out whether it reaches a server. */
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(3);

  private static final int LOOKS = 4;

  private final UncachedObjects objects;
  private final boolean fromOutside;
  private final ApiRegistration registration;
  private final CalledServer server;
  private volatile FrontProxy proxy = FrontProxy.UNKNOWN;

  public AggregatedApi(UncachedObjects objects, Settings settings, TimeSource time) {
    this.objects = objects;
    ApiAddress address = settings.address();
    this.fromOutside = address.outside().isPresent();
    Optional<ObjectKey> secret =
        fromOutside ? Optional.empty() : Optional.of(Kinds.SECRET.key(address.namespace(), SECRET));
    var tls = ServingTls.askingClients(settings.tls());
    var gate = new AccessReviews(objects);
    var pages = new ComputedPages(settings.api(), () -> proxy, gate::check, time);
    var keeper = new CertificateKeeper(objects, secret, address.names(), time);
    this.registration =
        new ApiRegistration(objects, address, settings.group(), settings.versions());
    this.server =
        new CalledServer(
            "visibility API",
            () -> {
              proxy = published(); // looked at as often as the certificate is
              return keeper.current();
            },
            tls,
            new WebServer("visibility", settings.listen(), Optional.of(tls), pages),
            registration,
            time);
  }

  private FrontProxy published() {
    try {
      return objects.get(FrontProxy.PUBLISHED).map(FrontProxy::read).orElse(FrontProxy.UNKNOWN);
    } catch (IllegalArgumentException | MalformedText damaged) {
      LOG.warn("{} is damaged: {}", FrontProxy.PUBLISHED, damaged.getMessage());
      return FrontProxy.UNKNOWN;
    }
  }

  /**
   * Begins to serve, without telling the API server. An account that lacks the rights for it goes
   * on without: nothing but insight depends on it.
   *
   * @throws IllegalArgumentException if it cannot listen where it should
   */
  public void serve() {
    ifAllowed("served", server::serve);
  }

  /** Registers with the API server and keeps the registration up to date, if that is possible. */
  public void register() {
    if (!server.serves()) {
      return;
    }
    if (proxy.isKnown()) {
      ifAllowed(
          "registered",
          () -> {
            server.register();
            lookLater(LOOKS);
          });
    } else {
      LOG.warn(
          "the visibility API is not registered: this API server has no aggregation layer; it needs"
              + " --requestheader-client-ca-file and --proxy-client-cert-file");
    }
  }

  private void lookLater(int looks) {
    server.later(BETWEEN_LOOKS, () -> ifAllowed("reached", () -> look(looks - 1)));
  }

  /** Finds out whether the API server reaches us; if it does not, there may be another way. */
  private void look(int left) {
    Optional<String> complaint = registration.complaint();
    if (complaint.isEmpty()) {
      return;
    }
    boolean hope = registration.leadsAnotherWay(complaint.get());
    if (hope) {
      server.registerAgain();
    }
    if (hope || left > 0) {
      lookLater(hope ? LOOKS : left);
    } else {
      LOG.warn("{}", unreached(complaint.get()));
    }
  }

  static String unreached(String complaint) {
    String advice =
        ApiRegistration.isAboutTheWay(complaint)
            ? "with --enable-aggregator-routing it passes requests on to addresses only, and not to"
                + " those of loopback: give the manager --webhook-url=https://ADDRESS with an"
                + " address of its machine, run it in the cluster, or leave out that flag"
            : "'kubectl get apiservices' says more";
    return "the visibility API is not available, because the API server cannot reach it (%s): %s."
            .formatted(complaint, advice)
        + " Everything else works";
  }

  private static void ifAllowed(String what, Runnable step) {
    try {
      step.run();
    } catch (ApiException refused) {
      if (!refused.is(Reason.FORBIDDEN)) {
        throw refused;
      }
      LOG.warn("the visibility API is not {}: {}", what, refused.getMessage());
    }
  }

  /** Whether replicas are reached under the same address. */
  public boolean isShared() {
    return !fromOutside;
  }

  /**
   * Takes back what was registered from outside, if it still is: no server would answer there.
   * Behind a Service with pods there are other replicas, or will be.
   */
  public void unregister() {
    if (fromOutside) {
      server.unregister();
    }
  }

  /** Stops to serve. What is registered stays registered. */
  @Override
  public void close() {
    server.close();
  }
}
