package dev.sluice.apiserver.http.session;

import dev.sluice.apiserver.http.limit.InFlight;
import dev.sluice.apiserver.http.spdy.SpdyConnection;
import dev.sluice.apiserver.http.spdy.SpdyConnection.Refusal;
import dev.sluice.apiserver.http.spdy.SpdyException;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port-forward session: the connections of one client to ports of a pod, in the protocol {@code
 * portforward.k8s.io}, SPDY over a WebSocket. Each connection has two streams with the same request
 * id: the first carries errors from the server, the second the data of both sides.
 *
 * <p>Threads: those of its {@link PortConnection}s.
 */
public final class PortForwardSocket extends SessionSocket implements SpdyConnection.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(PortForwardSocket.class);
  private static final int MAX_CONNECTIONS = 200;
  private static final byte[] NOTHING = new byte[0];

  /** Connects to a port of the pod. */
  public interface Dialing {
    Socket connect(int port) throws IOException;
  }

  private final Dialing dialing;
  private final SpdyConnection spdy = new SpdyConnection(this);
  private final Map<String, Integer> errorStreams = new ConcurrentHashMap<>();
  private final Map<Integer, PortConnection> connections = new ConcurrentHashMap<>();
  private final CountDownLatch over = new CountDownLatch(1);

  public PortForwardSocket(Dialing dialing, InFlight.Place place) {
    super(place);
    this.dialing = dialing;
  }

  @Override
  void talk() throws InterruptedException {
    over.await();
    connections.values().forEach(PortConnection::close);
    spdy.close();
  }

  @Override
  void left() {
    over.countDown();
  }

  @Override
  void take(boolean begins, byte[] bytes) {
    if (over.getCount() == 0) {
      return;
    }
    try {
      spdy.read(bytes);
    } catch (SpdyException broken) {
      LOG.debug("a port-forward client violated the protocol", broken);
      close(CloseStatus.PROTOCOL, String.valueOf(broken.getMessage()));
      left();
    }
  }

  @Override
  public void opened(int stream, SortedMap<String, String> headers) {
    String request = headers.getOrDefault("requestid", "");
    boolean first = headers.getOrDefault("streamtype", "").equals("error");
    Optional<Integer> errors = Optional.ofNullable(errorStreams.get(request));
    if (errorStreams.size() > MAX_CONNECTIONS) {
      refuse(stream, Refusal.REFUSED);
    } else if (first && errors.isEmpty()) {
      sendSoon(ByteBuffer.wrap(spdy.reply(stream)));
      errorStreams.put(request, stream);
    } else if (!first && errors.isPresent()) {
      sendSoon(ByteBuffer.wrap(spdy.reply(stream)));
      var streams = new Streams(stream, errors.get(), request);
      var connection = new PortConnection(this, dialing::connect, streams);
      connections.put(stream, connection);
      connection.start(headers.getOrDefault("port", ""));
    } else {
      refuse(stream, Refusal.PROTOCOL_ERROR);
    }
  }

  private void refuse(int stream, Refusal why) {
    sendSoon(ByteBuffer.wrap(SpdyConnection.refuse(stream, why)));
  }

  @Override
  public void said(int stream, byte[] bytes, boolean last) {
    Optional.ofNullable(connections.get(stream))
        .ifPresent(connection -> connection.hear(bytes, last));
  }

  @Override
  public void reset(int stream) {
    Optional.ofNullable(connections.get(stream)).ifPresent(PortConnection::close);
  }

  @Override
  public void pinged(int number) {
    sendSoon(ByteBuffer.wrap(SpdyConnection.ping(number)));
  }

  /** The two streams of one connection. */
  private final class Streams implements PortConnection.Client {
    private final int data;
    private final int errors;
    private final String request;

    Streams(int data, int errors, String request) {
      this.data = data;
      this.errors = errors;
      this.request = request;
    }

    @Override
    public void receive(byte[] bytes) throws IOException {
      say(data, bytes, false);
    }

    @Override
    public void end(String failure) throws IOException {
      connections.remove(data);
      errorStreams.remove(request);
      say(errors, failure.getBytes(StandardCharsets.UTF_8), true);
      say(data, NOTHING, true);
    }

    private void say(int stream, byte[] bytes, boolean last) throws IOException {
      send(ByteBuffer.wrap(SpdyConnection.say(stream, bytes, last)));
    }
  }
}
