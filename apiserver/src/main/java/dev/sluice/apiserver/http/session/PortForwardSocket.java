package dev.sluice.apiserver.http.session;

import dev.sluice.apiserver.http.limit.InFlight;
import dev.sluice.apiserver.http.spdy.SpdyConnection;
import dev.sluice.apiserver.http.spdy.SpdyConnection.Refusal;
import dev.sluice.apiserver.http.spdy.SpdyException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port-forward session: the connections of one client to ports of a pod, in the protocol {@code
 * portforward.k8s.io}, SPDY over a WebSocket. Each connection has two streams with the same request
 * id: the first carries errors from the server, the second the data of both sides.
 *
 * <p>Threads: each connection has one thread that reads from the port and one that writes to it;
 * data from the client waits for the second in a queue.
 */
public final class PortForwardSocket extends SessionSocket implements SpdyConnection.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(PortForwardSocket.class);
  private static final int MAX_CONNECTIONS = 200;
  private static final int BUFFER = 32 << 10;
  private static final byte[] NOTHING = new byte[0];

  /** Connects to a port of the pod. */
  public interface Dialing {
    Socket connect(int port) throws IOException;
  }

  private final Dialing dialing;
  private final SpdyConnection spdy = new SpdyConnection(this);
  private final Map<String, Integer> errorStreams = new ConcurrentHashMap<>();
  private final Map<Integer, Line> lines = new ConcurrentHashMap<>();
  private final CountDownLatch over = new CountDownLatch(1);

  public PortForwardSocket(Dialing dialing, InFlight.Place place) {
    super(place);
    this.dialing = dialing;
  }

  @Override
  void talk() throws InterruptedException {
    over.await();
    lines.values().forEach(Line::close);
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
      var line = new Line(stream, errors.get(), request);
      lines.put(stream, line);
      String port = headers.getOrDefault("port", "");
      Thread.ofVirtual().name("forward-" + port).start(() -> line.run(port));
    } else {
      refuse(stream, Refusal.PROTOCOL_ERROR);
    }
  }

  private void refuse(int stream, Refusal why) {
    sendSoon(ByteBuffer.wrap(SpdyConnection.refuse(stream, why)));
  }

  @Override
  public void said(int stream, byte[] bytes, boolean last) {
    Optional.ofNullable(lines.get(stream)).ifPresent(line -> line.hear(bytes, last));
  }

  @Override
  public void reset(int stream) {
    Optional.ofNullable(lines.get(stream)).ifPresent(Line::close);
  }

  @Override
  public void pinged(int number) {
    sendSoon(ByteBuffer.wrap(SpdyConnection.ping(number)));
  }

  /** One connection. */
  private final class Line {
    private final int data;
    private final int errors;
    private final String request;
    private final BlockingQueue<byte[]> waiting = new LinkedBlockingQueue<>();
    private volatile Optional<Socket> port = Optional.empty();
    private volatile boolean closed;

    Line(int data, int errors, String request) {
      this.data = data;
      this.errors = errors;
      this.request = request;
    }

    /** Queues data from the client; an empty message stands for the end of its stream. */
    void hear(byte[] bytes, boolean last) {
      if (bytes.length > 0) {
        waits(bytes.length);
        waiting.add(bytes);
      }
      if (last) {
        waiting.add(NOTHING);
      }
      if (closed) {
        drop();
      }
    }

    /** Drops data that has no receiver any more, so that it does not block the session. */
    private void drop() {
      for (byte[] bytes = waiting.poll(); bytes != null; bytes = waiting.poll()) {
        taken(bytes.length);
      }
    }

    void run(String number) {
      String failure = "";
      try (Socket connected = dialing.connect(Integer.parseInt(number))) {
        port = Optional.of(connected);
        if (!closed) {
          exchange(connected);
        }
      } catch (IOException | NumberFormatException failed) {
        // A connection that breaks later has delivered its data up to that point.
        failure = port.isPresent() ? "" : String.valueOf(failed.getMessage());
        LOG.debug("a connection to port {} ended", number, failed);
      }
      end(failure);
    }

    private void exchange(Socket connected) throws IOException {
      Thread writer = Thread.ofVirtual().name("forward-input").start(() -> passOn(connected));
      try {
        InputStream source = connected.getInputStream();
        byte[] buffer = new byte[BUFFER];
        for (int count = source.read(buffer); count >= 0; count = source.read(buffer)) {
          say(data, Arrays.copyOf(buffer, count), false);
        }
      } finally {
        writer.interrupt();
      }
    }

    private void passOn(Socket connected) {
      try {
        for (byte[] bytes = waiting.take(); bytes.length > 0; bytes = waiting.take()) {
          write(connected, bytes);
        }
        connected.shutdownOutput();
      } catch (IOException deaf) {
        LOG.debug("a forwarded port accepts no more data", deaf);
      } catch (InterruptedException ended) {
        Thread.currentThread().interrupt();
      }
    }

    private void write(Socket connected, byte[] bytes) throws IOException {
      try {
        connected.getOutputStream().write(bytes);
      } finally {
        taken(bytes.length);
      }
    }

    private void end(String failure) {
      lines.remove(data);
      errorStreams.remove(request);
      closed = true;
      drop();
      try {
        say(errors, failure.getBytes(StandardCharsets.UTF_8), true);
        say(data, NOTHING, true);
      } catch (IOException gone) {
        LOG.debug("a port-forward client closed the connection before the port did", gone);
      }
    }

    private void say(int stream, byte[] bytes, boolean last) throws IOException {
      send(ByteBuffer.wrap(SpdyConnection.say(stream, bytes, last)));
    }

    void close() {
      closed = true;
      try {
        if (port.isPresent()) {
          port.get().close();
        }
      } catch (IOException alreadyGone) {
        LOG.debug("a connection cannot be closed", alreadyGone);
      }
    }
  }
}
