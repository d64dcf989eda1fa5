package dev.sluice.kubernetes.serving;

import dev.sluice.kubernetes.serving.ServingCertificates.Names;
import dev.sluice.model.tree.Tree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;

/** How an API server reaches our webhooks. */
public sealed interface WebhookAddress {

  /** Through a Service of its own cluster. */
  record Service(String namespace, String name) implements WebhookAddress {
    private static final int PORT = 443;

    @Override
    public Names names() {
      String host = name + "." + namespace + ".svc";
      return new Names(List.of(host, host + ".cluster.local"), List.of());
    }

    @Override
    public Tree clientConfig(String path, int listening) {
      Tree service = Tree.of("namespace", namespace, "name", name, "path", path, "port", PORT);
      return Tree.of("service", service);
    }
  }

  /**
   * By a URL, from outside the cluster.
   *
   * @param base {@code https://host}, or with a port if that is not the one we listen on
   */
  record Url(URI base) implements WebhookAddress {
    public Url {
      boolean bare = base.getRawPath() == null || base.getRawPath().matches("/?");
      if (!"https".equals(base.getScheme()) || base.getHost() == null || !bare) {
        throw new IllegalArgumentException(
            "\"%s\" is no address for webhooks: it must be https://HOST or https://HOST:PORT"
                .formatted(base));
      }
    }

    /**
     * The address of this machine as seen from a server: loopback for a server on this machine,
     * else the address from which we would speak to it.
     */
    public static Url reachableFrom(URI server) {
      try (var socket = new DatagramSocket()) {
        // Connecting sends nothing: it only asks the system which way it would go.
        socket.connect(new InetSocketAddress(server.getHost(), 1));
        String address = socket.getLocalAddress().getHostAddress().replaceAll("%.*$", "");
        return new Url(
            URI.create("https://" + (address.contains(":") ? "[" + address + "]" : address)));
      } catch (IOException | UncheckedIOException unknown) {
        throw new IllegalArgumentException(
            "cannot find out under which address %s reaches this machine: %s"
                .formatted(server, unknown.getMessage()),
            unknown);
      }
    }

    /** Whether only this machine can use it. */
    public boolean isLocal() {
      return host().startsWith("127.") || host().equals("::1") || host().equals("localhost");
    }

    /** The port in the address; 0 if it has none. */
    public int port() {
      return Math.max(0, base.getPort());
    }

    private String host() {
      return base.getHost().replaceAll("^\\[|]$", "");
    }

    @Override
    public Names names() {
      boolean numeric = host().matches("[0-9.]+") || host().contains(":");
      return numeric
          ? new Names(List.of(), List.of(host()))
          : new Names(List.of(host()), List.of());
    }

    @Override
    public Tree clientConfig(String path, int listening) {
      int port = base.getPort() < 0 ? listening : base.getPort();
      return Tree.of("url", "https://" + base.getHost() + ":" + port + path);
    }
  }

  /** The names for which the server needs a certificate. */
  Names names();

  /**
   * What is registered with the API server for one path.
   *
   * @param listening the port we listen on
   */
  Tree clientConfig(String path, int listening);
}
