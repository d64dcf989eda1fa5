package dev.sluice.apiserver.http;

/** The port to listen on is in use. */
public final class PortInUseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PortInUseException(int port, Throwable cause) {
    super(
        "port %d of 127.0.0.1 is in use; choose another with --port, or --port 0 for any free one"
            .formatted(port),
        cause);
  }
}
