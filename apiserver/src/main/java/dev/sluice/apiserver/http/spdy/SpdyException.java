package dev.sluice.apiserver.http.spdy;

/** The other side says what is no SPDY, or too much of it. */
public final class SpdyException extends Exception {
  private static final long serialVersionUID = 1L;

  SpdyException(String message) {
    super(message);
  }
}
