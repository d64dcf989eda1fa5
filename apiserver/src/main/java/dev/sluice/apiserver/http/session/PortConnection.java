package dev.sluice.apiserver.http.session;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of a port-forward session to a port of the pod.
 *
 * <p>Threads: one thread reads from the port and one writes to it; data from the client waits for
 * the second in a queue.
 */
final class PortConnection {
  private static final Logger LOG = LoggerFactory.getLogger(PortConnection.class);
  private static final int BUFFER = 32 << 10;
  private static final byte[] NOTHING = new byte[0];

  /** Connects to a port of the pod. */
  interface Dialing {
    Socket connect(int port) throws IOException;
  }

  /** The client's end of the connection. */
  interface Client {
    void receive(byte[] bytes) throws IOException;

    /**
     * Called once, after the last bytes.
     *
     * @param failure why there was no connection; empty if there was one
     */
    void end(String failure) throws IOException;
  }

  private final SessionSocket session;
  private final Dialing dialing;
  private final Client client;
  private final BlockingQueue<byte[]> waiting = new LinkedBlockingQueue<>();
  private volatile Optional<Socket> port = Optional.empty();
  private volatile boolean closed;

  PortConnection(SessionSocket session, Dialing dialing, Client client) {
    this.session = session;
    this.dialing = dialing;
    this.client = client;
  }

  /** Connects, and passes data on in both directions on threads of its own. */
  void start(String number) {
    Thread.ofVirtual().name("forward-" + number).start(() -> run(number));
  }

  /** Queues data from the client; an empty message stands for the end of its stream. */
  void hear(byte[] bytes, boolean last) {
    if (bytes.length > 0) {
      session.waits(bytes.length);
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
      session.taken(bytes.length);
    }
  }

  private void run(String number) {
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
        client.receive(Arrays.copyOf(buffer, count));
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
      session.taken(bytes.length);
    }
  }

  private void end(String failure) {
    closed = true;
    drop();
    try {
      client.end(failure);
    } catch (IOException gone) {
      LOG.debug("a port-forward client closed the connection before the port did", gone);
    }
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
