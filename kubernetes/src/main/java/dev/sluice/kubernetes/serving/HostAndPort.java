package dev.sluice.kubernetes.serving;

/**
 * Where a server listens.
 *
 * @param host a name or address of this machine; empty for all of them
 * @param port 0 for any free one
 */
public record HostAndPort(String host, int port) {
  private static final int MAX_PORT = 65_535;

  public HostAndPort {
    if (port < 0 || port > MAX_PORT) {
      throw new IllegalArgumentException(
          "port %d is none: it must be from 0 to %d".formatted(port, MAX_PORT));
    }
  }

  /** Reads {@code host:port} or {@code :port}, as Kubernetes writes where to listen. */
  public static HostAndPort parse(String text) {
    int colon = text.lastIndexOf(':');
    try {
      if (colon >= 0) {
        String host = text.substring(0, colon).replaceAll("^\\[|]$", "");
        return new HostAndPort(host, Integer.parseInt(text.substring(colon + 1)));
      }
    } catch (NumberFormatException noNumber) {
      // reported below
    }
    throw new IllegalArgumentException(
        "\"%s\" is not HOST:PORT or :PORT, such as 127.0.0.1:8081 or :8081".formatted(text));
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
