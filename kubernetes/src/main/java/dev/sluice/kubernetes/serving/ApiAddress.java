package dev.sluice.kubernetes.serving;

import dev.sluice.kubernetes.serving.ServingCertificates.Names;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * How an API server reaches an API of ours: always by a Service of its own cluster.
 *
 * @param outside the name or address of our machine to which the Service only points, if we are not
 *     in the cluster; empty if the Service finds our pods
 */
public record ApiAddress(String namespace, String service, Optional<String> outside) {
  private static final int PORT = 443;

  /** A Service that the installation brings. */
  public static ApiAddress inside(String namespace) {
    return new ApiAddress(namespace, "sluice-visibility-server", Optional.empty());
  }

  /**
   * A Service of its own, which points to the address under which webhooks are reached.
   *
   * @return empty if the address is one of IPv6, to which no Service can point
   */
  public static Optional<ApiAddress> outside(String namespace, URI webhooks) {
    return Optional.of(webhooks.getHost())
        .filter(host -> !host.contains(":"))
        .map(host -> new ApiAddress(namespace, "sluice-visibility-outside", Optional.of(host)));
  }

  /** The names for which the server needs a certificate. */
  Names names() {
    return new Names(List.of(service + "." + namespace + ".svc"), List.of());
  }

  /**
   * The port at which the API server calls the Service.
   *
   * @param listening the port we listen on
   */
  int port(int listening) {
    return outside.isPresent() ? listening : PORT;
  }
}
