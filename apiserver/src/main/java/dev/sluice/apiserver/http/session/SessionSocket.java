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
 * A client's talk with something on a node, over a WebSocket. What the client says is asked for
 * only while little of it waits.
 *
 * <p>Threads: what the client says comes on threads of the server, one message after the other; the
 * talk itself has a thread of its own. Sending is safe.
 */
public abstract sealed class SessionSocket implements FrameHandler
    permits RemoteCommandSocket, PortForwardSocket {
  private static final Logger LOG = LoggerFactory.getLogger(SessionSocket.class);
  private static final long MAX_WAITING = 1 << 20;

  private final InFlight.Place place;
  private final AtomicLong waitingBytes = new AtomicLong();
  private final AtomicBoolean holdsBack = new AtomicBoolean();
  private volatile Optional<CoreSession> socket = Optional.empty();

  SessionSocket(InFlight.Place place) {
    this.place = place;
  }

  /** Talks until the end. */
  abstract void talk() throws InterruptedException;

  /**
   * Takes what the client said.
   *
   * @param begins whether a message begins with it
   */
  abstract void take(boolean begins, byte[] bytes);

  /** The client has gone; the talk should end soon. */
  abstract void left();

  /** Gives up the place of a talk that never began. */
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

  /** So much waits for somebody to take it. */
  final void waits(int bytes) {
    waitingBytes.addAndGet(bytes);
  }

  /** So much waits no longer. */
  final void taken(int bytes) {
    waitingBytes.addAndGet(-bytes);
    demandIfFewWait();
  }

  /** Asks once for each message that was taken, whoever comes first. */
  private void demandIfFewWait() {
    if (waitingBytes.get() < MAX_WAITING && holdsBack.compareAndSet(true, false)) {
      socket.ifPresent(CoreSession::demand);
    }
  }

  /** Sends a message, and returns when it is on its way. */
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

  /** Ends the talk. */
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
