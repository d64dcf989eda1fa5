package dev.sluice.apiserver.http.spdy;

/** The client violated the protocol or exceeded a limit. */
public final class SpdyException extends Exception {
  private static final long serialVersionUID = 1L;

  SpdyException(String message) {
    super(message);
  }
}
