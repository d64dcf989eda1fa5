package dev.sluice.model.core.pod;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A question that a node asks a container again and again. */
public record Probe(Tree tree) {

  /** What the answers are good for. */
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

  /** The command to run, empty if the question is another. */
  public List<String> command() {
    return tree.textItems("exec", "command");
  }

  public boolean isHttp() {
    return tree.at("httpGet") instanceof Tree;
  }

  /** Whether a server is asked by the health protocol of gRPC. */
  public boolean isGrpc() {
    return tree.at("grpc") instanceof Tree;
  }

  /** The service that such a server is asked about, empty for the server as a whole. */
  public String grpcService() {
    return tree.text("grpc", "service");
  }

  /** Such as {@code http}, in lower case. */
  public String scheme() {
    return tree.text("httpGet", "scheme").equals("HTTPS") ? "https" : "http";
  }

  public String path() {
    String path = tree.text("httpGet", "path");
    return path.startsWith("/") ? path : "/" + path;
  }

  /** A header to send. */
  public record Header(String name, String value) {}

  public List<Header> headers() {
    return tree.trees("httpGet", "httpHeaders").stream()
        .map(header -> new Header(header.text("name"), header.text("value")))
        .toList();
  }

  /** The host to ask, empty for the pod itself. */
  public String host() {
    return isHttp() ? tree.text("httpGet", "host") : tree.text("tcpSocket", "host");
  }

  /** The number of the port to ask, also where a container names it; 0 if there is none. */
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

  /** How long the container may take to end after it failed, if that is not up to the pod. */
  public Optional<Duration> terminationGrace() {
    return tree.whole("terminationGracePeriodSeconds").stream()
        .mapToObj(Duration::ofSeconds)
        .findFirst();
  }

  /** How many good answers in a row make it succeed. */
  public long successThreshold() {
    return Math.max(1, tree.whole("successThreshold").orElse(1));
  }

  /** How many bad answers in a row make it fail. */
  public long failureThreshold() {
    return Math.max(1, tree.whole("failureThreshold").orElse(3));
  }
}
