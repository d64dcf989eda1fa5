package dev.sluice.model.core.pod;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A probe of a container. */
public record Probe(Tree tree) {

  /** The purpose of a probe. */
  public enum Purpose {
    STARTUP("startupProbe"),
    READINESS("readinessProbe"),
    LIVENESS("livenessProbe");

    private final String field;

    Purpose(String field) {
      this.field = field;
    }

    String field() {
      return field;
    }

    /** Its name in events, such as {@code Startup}. */
    public String word() {
      String word = field.substring(0, field.length() - "Probe".length());
      return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }
  }

  /** The command of an exec probe, else empty. */
  public List<String> command() {
    return tree.textItems("exec", "command");
  }

  public boolean isHttp() {
    return tree.at("httpGet") instanceof Tree;
  }

  /** Whether it is a gRPC probe. */
  public boolean isGrpc() {
    return tree.at("grpc") instanceof Tree;
  }

  /** The service of a gRPC probe, empty for the server as a whole. */
  public String grpcService() {
    return tree.text("grpc", "service");
  }

  /** The scheme in lower case, such as {@code http}. */
  public String scheme() {
    return tree.text("httpGet", "scheme").equals("HTTPS") ? "https" : "http";
  }

  public String path() {
    String path = tree.text("httpGet", "path");
    return path.startsWith("/") ? path : "/" + path;
  }

  /** A header of the request. */
  public record Header(String name, String value) {}

  public List<Header> headers() {
    return tree.trees("httpGet", "httpHeaders").stream()
        .map(header -> new Header(header.text("name"), header.text("value")))
        .toList();
  }

  /** The host, empty for the pod itself. */
  public String host() {
    return isHttp() ? tree.text("httpGet", "host") : tree.text("tcpSocket", "host");
  }

  /** The port number, resolved if it is the name of a container port; 0 if there is none. */
  public int port(Container container) {
    String handler = isHttp() ? "httpGet" : isGrpc() ? "grpc" : "tcpSocket";
    Value port = tree.at(handler, "port");
    if (port instanceof Value.Whole(long number)) {
      return (int) number;
    }
    return container.tree().trees("ports").stream()
        .filter(each -> each.text("name").equals(port.asText()))
        .map(each -> (int) each.whole("containerPort").orElse(0))
        .findFirst()
        .orElse(0);
  }

  public Duration initialDelay() {
    return Duration.ofSeconds(tree.whole("initialDelaySeconds").orElse(0));
  }

  public Duration period() {
    return Duration.ofSeconds(Math.max(1, tree.whole("periodSeconds").orElse(10)));
  }

  public Duration timeout() {
    return Duration.ofSeconds(Math.max(1, tree.whole("timeoutSeconds").orElse(1)));
  }

  /** The grace period of a container that failed the probe, if it differs from that of the pod. */
  public Optional<Duration> terminationGrace() {
    return tree.whole("terminationGracePeriodSeconds").stream()
        .mapToObj(Duration::ofSeconds)
        .findFirst();
  }

  /** The number of consecutive successes after which it succeeds. */
  public long successThreshold() {
    return Math.max(1, tree.whole("successThreshold").orElse(1));
  }

  /** The number of consecutive failures after which it fails. */
  public long failureThreshold() {
    return Math.max(1, tree.whole("failureThreshold").orElse(3));
  }
}
