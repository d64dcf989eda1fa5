package dev.sluice.controllers.configuration;

import dev.sluice.controllers.configuration.ManagerSettings.Certificates;
import dev.sluice.controllers.configuration.ManagerSettings.ClientConnection;
import dev.sluice.controllers.configuration.ManagerSettings.Health;
import dev.sluice.controllers.configuration.ManagerSettings.LeaderElection;
import dev.sluice.controllers.configuration.ManagerSettings.Metrics;
import dev.sluice.controllers.configuration.ManagerSettings.Tls;
import dev.sluice.controllers.configuration.ManagerSettings.Visibility;
import dev.sluice.controllers.configuration.ManagerSettings.Webhook;
import dev.sluice.controllers.configuration.file.NameRules;
import dev.sluice.controllers.configuration.file.Section;
import dev.sluice.controllers.configuration.file.SelectorSection;
import dev.sluice.model.tree.Tree;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The sections about the manager's process: its servers, its client and leader election. */
public final class ManagerSections {
  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[0-9a-fA-F:.]{0,45}]|[-A-Za-z0-9.]{0,253}):(\\d{1,5})");
  private static final BigDecimal MAX_RATE = BigDecimal.valueOf(1_000_000);
  private static final String CERTIFICATES = "/tmp/k8s-webhook-server/serving-certs";
  private static final String SECRET = "sluice-webhook-server-cert";
  private static final String NEWEST_TLS = "VersionTLS13";

  private static final String MANAGER_ONLY = "it is for sluice manager";

  /** The sections that only matter to a manager of a real cluster. */
  private static final String[] MANAGER_SECTIONS = {
    "leaderElection",
    "webhook",
    "health",
    "clientConnection",
    "internalCertManagement",
    "visibilityServer",
    "tls"
  };

  private ManagerSections() {}

  /**
   * @param metrics the section {@code metrics}, whose custom labels have been read already
   */
  static ManagerSettings read(
      Section root,
      Section metrics,
      List<CustomLabel> labels,
      String namespace,
      Set<Gate> gates,
      Purpose purpose) {
    root.noEffect("Sluice serves no pprof; use a profiler for Java", "pprofBindAddress");
    Section controller = root.section("controller");
    controller.noEffect("Sluice decides on one thread", "groupKindConcurrency");
    controller.noEffect("Sluice waits as long as it takes", "cacheSyncTimeout");
    controller.end();
    warnOfUnused(root, metrics, purpose);
    Certificates certificates = certificates(root.section("internalCertManagement"));
    return new ManagerSettings(
        leaderElection(root.section("leaderElection"), namespace),
        webhook(root.section("webhook"), certificates.managed()),
        metrics(metrics, labels, gates),
        health(root.section("health")),
        clientConnection(root.section("clientConnection")),
        certificates,
        visibility(root.section("visibilityServer"), gates),
        tls(root.section("tls"), gates));
  }

  private static void warnOfUnused(Section root, Section metrics, Purpose purpose) {
    switch (purpose) {
      case MANAGER -> {}
      case CONTROL_PLANE -> {
        root.noEffect(MANAGER_ONLY, MANAGER_SECTIONS);
        metrics.noEffect("the API server serves them, at /metrics", "bindAddress");
      }
      case SIMULATION -> {
        root.noEffect(MANAGER_ONLY, MANAGER_SECTIONS);
        root.noEffect("a simulation has no metrics", "metrics");
      }
    }
  }

  private static Tls tls(Section section, Set<Gate> gates) {
    boolean newest =
        section.choice("minVersion", "VersionTLS12", NEWEST_TLS, "").equals(NEWEST_TLS);
    List<String> suites = section.texts("cipherSuites");
    section.noEffect("Java chooses the curves", "curvePreferences");
    if (!gates.contains(Gate.TLS_OPTIONS)) {
      section.noEffect("the gate TLSOptions is false", "minVersion", "cipherSuites");
      section.end();
      return new Tls(false, List.of());
    }
    if (newest) {
      section.noEffect("they are for TLS 1.2; those of TLS 1.3 are all allowed", "cipherSuites");
    }
    section.end();
    return new Tls(newest, newest ? List.of() : suites);
  }

  public static LeaderElection leaderElection(Section section, String namespace) {
    boolean enabled = section.flag("leaderElect", true);
    section.choice("resourceLock", "leases");
    String lease = name(section, "resourceName", LeaderElection.USUAL_LEASE);
    String where = name(section, "resourceNamespace", namespace);
    Duration duration = section.duration("leaseDuration").orElse(Duration.ofSeconds(15));
    Duration renewal = section.duration("renewDeadline").orElse(Duration.ofSeconds(10));
    Duration retry = section.duration("retryPeriod").orElse(Duration.ofSeconds(2));
    if (duration.compareTo(renewal) <= 0) {
      section.wrong("leaseDuration", "must be longer than renewDeadline");
    }
    // A retry is delayed by up to a fifth at random, so that managers do not all try at once.
    if (retry.isZero() || renewal.multipliedBy(5).compareTo(retry.multipliedBy(6)) <= 0) {
      section.wrong("retryPeriod", "must be positive, and below five sixths of renewDeadline");
    }
    section.end();
    return new LeaderElection(enabled, lease, where, duration, renewal, retry);
  }

  private static Webhook webhook(Section section, boolean managesCertificates) {
    String folder = section.text("certDir", CERTIFICATES);
    if (managesCertificates) {
      section.noEffect("internalCertManagement.enable is true", "certDir");
      folder = CERTIFICATES;
    }
    var webhook = new Webhook(port(section, "port"), section.text("host", ""), folder);
    section.end();
    return webhook;
  }

  private static Metrics metrics(Section section, List<CustomLabel> labels, Set<Gate> gates) {
    Optional<String> address = address(section, "bindAddress", ":8443");
    boolean resources = section.flag("enableClusterQueueResources", false);
    Section localQueues = section.section("localQueueMetrics");
    boolean enabled = localQueues.flag("enable", true);
    Tree selector = SelectorSection.read(localQueues.section("localQueueSelector"));
    localQueues.end();
    if (!gates.contains(Gate.LOCAL_QUEUE_METRICS)) {
      section.noEffect("the gate LocalQueueMetrics is false", "localQueueMetrics");
      enabled = false;
    }
    if (!enabled) {
      labels.stream()
          .filter(label -> label.source() == CustomLabel.Source.LOCAL_QUEUE)
          .map(label -> label.name() + " has no effect: LocalQueues are not measured")
          .forEach(why -> section.warn(CustomLabelSection.FIELD, why));
    }
    section.end();
    return new Metrics(address, resources, enabled, selector, labels);
  }

  private static Health health(Section section) {
    var health =
        new Health(
            address(section, "healthProbeBindAddress", ":8081"),
            section.text("readinessEndpointName", "readyz"),
            section.text("livenessEndpointName", "healthz"));
    section.end();
    return health;
  }

  /** Kueue always limits its requests; here a limit is optional. */
  private static ClientConnection clientConnection(Section section) {
    boolean chosen = section.has("qps") || section.has("burst");
    BigDecimal rate = section.number("qps").orElse(BigDecimal.valueOf(300));
    boolean unlimited = !chosen || rate.signum() < 0;
    if (rate.signum() == 0 || rate.compareTo(MAX_RATE) > 0) {
      section.wrong(
          "qps",
          "%s is no rate; give up to %s a second, or a negative number for no limit"
              .formatted(section.shown("qps"), MAX_RATE));
    }
    int burst = section.whole("burst", 500, 1);
    section.end();
    return new ClientConnection(unlimited ? Optional.empty() : Optional.of(rate), burst);
  }

  private static Certificates certificates(Section section) {
    boolean managed = section.flag("enable", true);
    String service = section.text("webhookServiceName", "sluice-webhook-service");
    if (!NameRules.isService(service)) {
      section.wrong("webhookServiceName", "\"%s\" is not the name of a Service".formatted(service));
    }
    String secret = name(section, "webhookSecretName", SECRET);
    if (!managed) {
      section.noEffect("enable is false", "webhookSecretName");
      secret = SECRET;
    }
    section.end();
    return new Certificates(managed, service, secret);
  }

  private static Visibility visibility(Section section, Set<Gate> gates) {
    var visibility =
        new Visibility(
            gates.contains(Gate.VISIBILITY_ON_DEMAND),
            section.text("bindAddress", ""),
            port(section, "bindPort"));
    if (!visibility.enabled()) {
      section.noEffect("the gate VisibilityOnDemand is false", "bindAddress", "bindPort");
    }
    section.end();
    return visibility;
  }

  private static Optional<Integer> port(Section section, String field) {
    return section.has(field) ? Optional.of(section.port(field, 0)) : Optional.empty();
  }

  private static String name(Section section, String field, String fallback) {
    String name = section.text(field, fallback);
    if (section.has(field) && !NameRules.isSubdomain(name)) {
      section.wrong(field, "\"%s\" is not a name of Kubernetes".formatted(name));
    }
    return name;
  }

  /** An address to listen on; empty for "0", which disables the server. */
  private static Optional<String> address(Section section, String field, String fallback) {
    String address = section.text(field, fallback);
    if (address.equals("0")) {
      return Optional.empty();
    }
    // Go writes an empty string for a field that is not set.
    String wanted = address.isEmpty() ? fallback : address;
    var matcher = ADDRESS.matcher(wanted);
    if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > 65_535) {
      section.wrong(
          field,
          "\"%s\" is not written like :8443 or host:8443, or \"0\" for none".formatted(wanted));
    }
    return Optional.of(wanted);
  }
}
