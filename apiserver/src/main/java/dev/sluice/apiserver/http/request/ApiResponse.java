package dev.sluice.apiserver.http.request;

import dev.sluice.apiserver.http.session.SessionSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The response to a request. */
public sealed interface ApiResponse {

  record Header(String name, String value) {}

  /** A response that is complete at once. */
  final class Whole implements ApiResponse {
    private final int code;
    private final String contentType;
    private final byte[] body;
    private final List<Header> headers;

    public Whole(int code, String contentType, byte[] body, List<Header> headers) {
      this.code = code;
      this.contentType = contentType;
      this.body = body;
      this.headers = List.copyOf(headers);
    }

    public static Whole text(int code, String body) {
      return new Whole(
          code,
          "text/plain; charset=utf-8",
          body.getBytes(StandardCharsets.UTF_8),
          List.of(new Header("X-Content-Type-Options", "nosniff")));
    }

    public int code() {
      return code;
    }

    public String contentType() {
      return contentType;
    }

    public byte[] body() {
      return body;
    }

    public List<Header> headers() {
      return headers;
    }

    public Whole with(String name, String value) {
      var more = new ArrayList<>(headers);
      more.add(new Header(name, value));
      return new Whole(code, contentType, body, more);
    }
  }

  /** A response that is streamed. */
  record Streaming(String contentType, Source source) implements ApiResponse {}

  /** A session in both directions, over a WebSocket with a protocol that the client offered. */
  record Upgrade(String protocol, SessionSocket socket) implements ApiResponse {}

  /** A stream that is written until it ends; the call blocks. */
  interface Source {
    void run(Sink sink) throws IOException, InterruptedException;

    /**
     * The client closed the connection: {@link #run} should end soon. Called on any thread, at any
     * time.
     */
    void abandon();
  }

  /** The receiver of the parts of a stream; each has been sent when the call returns. */
  interface Sink {
    void write(byte[] bytes) throws IOException;
  }
}
