package dev.sluice.apiserver.http.session;

import dev.sluice.apiserver.http.limit.InFlight;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.FutureCallback;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.OpCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session between a client and a container or a port, over a WebSocket. Messages of the client
 * are requested only while few bytes wait to be delivered.
 *
 * <p>Threads: messages arrive on threads of the server, one after another; the session itself has a
 * thread of its own. Sending is safe.
 */
public abstract sealed class SessionSocket implements FrameHandler
    permits RemoteCommandSocket, PortForwardSocket, ChannelForwardSocket {
  private static final Logger LOG = LoggerFactory.getLogger(SessionSocket.class);
  private static final long MAX_WAITING = 1 << 20;

  private final InFlight.Place place;
  private final AtomicLong waitingBytes = new AtomicLong();
  private final AtomicBoolean holdsBack = new AtomicBoolean();
  private volatile Optional<CoreSession> socket = Optional.empty();

  SessionSocket(InFlight.Place place) {
    this.place = place;
  }

  /** Runs the session until its end. */
  abstract void talk() throws InterruptedException;

  /**
   * Receives data from the client.
   *
   * @param begins whether it starts a message
   */
  abstract void take(boolean begins, byte[] bytes);

  /** The client closed the connection; the session should end soon. */
  abstract void left();

  /** Releases the place of a session that never started. */
  public final void abandon() {
    place.close();
  }

  @Override
  public final void onOpen(CoreSession opened, Callback callback) {
    socket = Optional.of(opened);
    Thread.ofVirtual().name("talk").start(this::run);
    callback.succeeded();
    opened.demand();
  }

  private void run() {
    try (place) {
      talk();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public final void onFrame(Frame frame, Callback callback) {
    byte[] bytes = new byte[frame.getPayloadLength()];
    if (frame.hasPayload()) {
      frame.getPayload().slice().get(bytes);
    }
    callback.succeeded();
    switch (frame.getOpCode()) {
      case OpCode.PING ->
          socket.ifPresent(each ->
              each.sendFrame(new Frame(OpCode.PONG, ByteBuffer.wrap(bytes)), Callback.NOOP, false));
      case OpCode.TEXT, OpCode.BINARY, OpCode.CONTINUATION ->
          take(frame.getOpCode() != OpCode.CONTINUATION, bytes);
      default -> {}
    }
    holdsBack.set(true);
    demandIfFewWait();
  }

  /** Adds bytes that wait to be delivered. */
  final void waits(int bytes) {
    waitingBytes.addAndGet(bytes);
  }

  /** Subtracts bytes that were delivered. */
  final void taken(int bytes) {
    waitingBytes.addAndGet(-bytes);
    demandIfFewWait();
  }

  /**
   * Requests the next message, once for each message that was received, whichever thread comes
   * first.
   */
  private void demandIfFewWait() {
    if (waitingBytes.get() < MAX_WAITING && holdsBack.compareAndSet(true, false)) {
      socket.ifPresent(CoreSession::demand);
    }
  }

  /** Sends a message, and returns when it has been sent. */
  final void send(ByteBuffer message) throws IOException {
    var sent = new FutureCallback();
    socket.orElseThrow().sendFrame(new Frame(OpCode.BINARY, message), sent, false);
    try {
      sent.get();
    } catch (ExecutionException gone) {
      throw new IOException("the client has gone", gone);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("stopped while writing", stopped);
    }
  }

  /** Sends a short message without waiting for it. */
  final void sendSoon(ByteBuffer message) {
    socket.ifPresent(
        each -> each.sendFrame(new Frame(OpCode.BINARY, message), Callback.NOOP, false));
  }

  /** Closes the session. */
  final void close(int code, String why) {
    socket.ifPresent(each -> each.close(code, why, Callback.NOOP));
  }

  @Override
  public final void onError(Throwable cause, Callback callback) {
    LOG.debug("a session was aborted", cause);
    callback.succeeded();
  }

  @Override
  public final void onClosed(CloseStatus status, Callback callback) {
    left();
    callback.succeeded();
  }
}
