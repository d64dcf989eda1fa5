package dev.sluice.kubernetes;

import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;

/**
 * Which API server to speak to, and as whom. Made from a kubeconfig file, as {@code kubectl} reads
 * it, or from what Kubernetes gives to every pod. What does not name a server clearly is refused
 * with an {@link IllegalArgumentException}.
 */
public final class Connection {
  /** Another folder than the one into which Kubernetes puts what a pod needs, for tests. */
  public static final String POD_SECRETS = "sluice.pod.secrets";

  private static final String USUAL_SECRETS = "/var/run/secrets/kubernetes.io/serviceaccount";
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);

  private final Config config;
  private final Optional<ClientCertificate> certificate;
  private final Optional<String> podNamespace;
  private final Optional<RequestRate> rate;

  private Connection(
      Config config, Optional<ClientCertificate> certificate, Optional<String> podNamespace) {
    this(config, certificate, podNamespace, Optional.empty());
  }

  private Connection(
      Config config,
      Optional<ClientCertificate> certificate,
      Optional<String> podNamespace,
      Optional<RequestRate> rate) {
    this.certificate = certificate;
    this.podNamespace = podNamespace;
    this.rate = rate;
    config.setUserAgent("sluice");
    config.setConnectionTimeout((int) REQUEST_TIMEOUT.toMillis());
    config.setRequestTimeout((int) REQUEST_TIMEOUT.toMillis());
    // Enough to ride out a busy server; a longer outage is for the controllers to retry, which
    // decide again instead of repeating a stale decision.
    config.setRequestRetryBackoffLimit(3);
    config.setRequestRetryBackoffInterval(100);
    config.setWatchReconnectInterval(500);
    this.config = config;
  }

  /** The current context of a kubeconfig file. */
  public static Connection kubeconfig(Path file) {
    Config config = read(file);
    return new Connection(config, ClientCertificate.takenFrom(config), Optional.empty());
  }

  /** The server of the cluster in which this program runs as a pod, as the pod's own account. */
  public static Connection inCluster() {
    return inCluster(System.getenv(), Path.of(System.getProperty(POD_SECRETS, USUAL_SECRETS)));
  }

  static Connection inCluster(Map<String, String> environment, Path secrets) {
    String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
    String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
    Path token = secrets.resolve("token");
    if (host.isEmpty() || !Files.isReadable(token)) {
      throw new IllegalArgumentException(
          "this program does not run in a pod: KUBERNETES_SERVICE_HOST is \"%s\" and %s is %s. Name a kubeconfig file instead."
              .formatted(host, token, Files.isReadable(token) ? "there" : "not readable"));
    }
    Config config = Config.empty();
    config.setMasterUrl("https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port);
    config.setCaCertFile(secrets.resolve("ca.crt").toString());
    // Kubernetes renews the token in place about every hour, so it is read for each request.
    config.setOauthTokenProvider(() -> readText(token));
    Path namespace = secrets.resolve("namespace");
    return new Connection(
        config,
        Optional.empty(),
        Optional.of(namespace).filter(Files::isReadable).map(Connection::readText));
  }

  private static String readText(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException unreadable) {
      throw new UncheckedIOException("cannot read the pod's " + file, unreadable);
    }
  }

  private static Config read(Path file) {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new IllegalArgumentException("the kubeconfig " + file + " is not a readable file");
    }
    Tree written = parse(file);
    Config config;
    try {
      config = Config.fromKubeconfig(file.toFile());
    } catch (RuntimeException malformed) {
      // The client lets its YAML reader's own exceptions through beside those of its own.
      throw new IllegalArgumentException(
          "the kubeconfig %s cannot be read: %s".formatted(file, malformed.getMessage()),
          malformed);
    }
    if (config.getCurrentContext() == null) {
      throw new IllegalArgumentException(
          "the kubeconfig %s has no current-context that it knows; its contexts are %s"
              .formatted(file, config.getContexts().stream().map(each -> each.getName()).toList()));
    }
    // Without a scheme the client would fall back to plain HTTP, and send its token in the clear.
    if (!hasScheme(written, config)) {
      throw new IllegalArgumentException(
          "the kubeconfig %s has a server without a scheme, which is not https://HOST or https://HOST:PORT"
              .formatted(file));
    }
    if (!namesHost(config.getMasterUrl())) {
      throw new IllegalArgumentException(
          "the kubeconfig %s has the server \"%s\", which is not https://HOST or https://HOST:PORT"
              .formatted(file, config.getMasterUrl()));
    }
    return config;
  }

  /** The client's own reader names Java classes in its error when the file is something else. */
  private static Tree parse(Path file) {
    try {
      List<Value> documents = Yaml.parseAll(Files.readString(file));
      if (documents.size() == 1
          && documents.getFirst() instanceof Tree only
          && (!only.has("kind") || only.text("kind").equals("Config"))) {
        return only;
      }
      throw new IllegalArgumentException(
          "the kubeconfig %s is none: it must have one document, of kind Config".formatted(file));
    } catch (MalformedText malformed) {
      throw new IllegalArgumentException(
          "the kubeconfig %s cannot be read: %s".formatted(file, malformed.getMessage()),
          malformed);
    } catch (IOException unreadable) {
      throw new IllegalArgumentException(
          "the kubeconfig %s is not a readable file: %s".formatted(file, unreadable), unreadable);
    }
  }

  private static boolean hasScheme(Tree written, Config config) {
    String cluster = config.getCurrentContext().getContext().getCluster();
    return written.trees("clusters").stream()
        .filter(named -> named.text("name").equals(cluster))
        .allMatch(named -> named.text("cluster", "server").contains("://"));
  }

  private static boolean namesHost(String server) {
    try {
      return new URI(server).getHost() != null;
    } catch (URISyntaxException noAddress) {
      return false;
    }
  }

  /** The same, whose controllers ask no faster than this. */
  public Connection limited(RequestRate limit) {
    return new Connection(config, certificate, podNamespace, Optional.of(limit));
  }

  public boolean isLimited() {
    return rate.isPresent();
  }

  Optional<RequestRate> rate() {
    return rate;
  }

  Optional<ClientCertificate> certificate() {
    return certificate;
  }

  Config config() {
    return config;
  }

  /**
   * A client for this connection, which asks nothing yet.
   *
   * @throws IllegalArgumentException if the certificates or keys are none
   */
  KubernetesClient client() {
    try {
      return new KubernetesClientBuilder()
          .withConfig(config)
          .withHttpClientFactory(new Clients(certificate.map(ClientCertificate::keyManagers)))
          .withKubernetesSerialization(TreeConversion.serialization())
          .build();
    } catch (KubernetesClientException | IllegalArgumentException unusable) {
      throw new IllegalArgumentException(
          "the certificates or keys for %s cannot be used: %s".formatted(server(), why(unusable)),
          unusable);
    }
  }

  /** HTTP clients that show our own certificate, if there is one. */
  private static final class Clients extends JdkHttpClientFactory {
    private final Optional<KeyManager[]> own;

    Clients(Optional<KeyManager[]> own) {
      this.own = own;
    }

    @Override
    public HttpClient.Builder newBuilder(Config config) {
      HttpClient.Builder builder = super.newBuilder(config);
      if (own.isPresent()) {
        try {
          builder.sslContext(own.get(), SSLUtils.trustManagers(config));
        } catch (GeneralSecurityException | IOException unusable) {
          throw KubernetesClientException.launderThrowable(unusable);
        }
      }
      return builder;
    }
  }

  /** The client wraps what it met, such as the name of a file that is not there. */
  private static String why(RuntimeException unusable) {
    return Stream.iterate((Throwable) unusable, Objects::nonNull, Throwable::getCause)
        .map(Throwable::getMessage)
        .filter(Objects::nonNull)
        .reduce((_, inner) -> inner)
        .orElse("unknown reason");
  }

  /** The namespace of the pod as which this program runs; empty if it runs elsewhere. */
  public Optional<String> podNamespace() {
    return podNamespace;
  }

  /** The server's address. */
  public String server() {
    return config.getMasterUrl();
  }
}
