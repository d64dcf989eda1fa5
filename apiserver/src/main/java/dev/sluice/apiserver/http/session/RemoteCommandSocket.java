package dev.sluice.apiserver.http.session;

import dev.sluice.apiserver.http.limit.InFlight;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.ContainerSessions.End;
import dev.sluice.runtime.ContainerSessions.Output;
import dev.sluice.runtime.ContainerSessions.Session;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An exec or attach session with a container over a WebSocket, in the protocols {@code
 * v4.channel.k8s.io} and {@code v5.channel.k8s.io}: the first byte of each message names a channel.
 *
 * <p>Threads: messages wait in a queue; one thread writes them to the container, another waits for
 * the end.
 */
public final class RemoteCommandSocket extends SessionSocket {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteCommandSocket.class);
  private static final int STDIN = 0;
  private static final int STDOUT = 1;
  private static final int STDERR = 2;
  private static final int STATUS = 3;
  private static final int RESIZE = 4;
  private static final int CLOSE = 255;

  /** Opens the session, if the container runs. */
  public interface Opening {
    Optional<Session> open(Output output) throws IOException;
  }

  /** A message for a channel. */
  private static final class Message {
    private final int channel;
    private final byte[] bytes;

    Message(int channel, byte[] bytes) {
      this.channel = channel;
      this.bytes = bytes;
    }
  }

  private final Opening opening;
  private final Set<String> outputs;
  private final String notRunning;
  private final BlockingQueue<Message> waiting = new LinkedBlockingQueue<>();
  private volatile Optional<Session> session = Optional.empty();
  private volatile boolean gone;
  private int channel;

  /**
   * @param outputs the streams that the client reads
   * @param notRunning the error if the container does not run
   */
  public RemoteCommandSocket(
      Opening opening, Set<String> outputs, String notRunning, InFlight.Place place) {
    super(place);
    this.opening = opening;
    this.outputs = Set.copyOf(outputs);
    this.notRunning = notRunning;
  }

  @Override
  void talk() throws InterruptedException {
    try {
      Optional<Session> begun = opening.open(this::write);
      session = begun;
      if (gone) {
        begun.ifPresent(Session::close);
      }
      end(begun.isPresent() ? talk(begun.get()) : failure(notRunning));
    } catch (IOException failed) {
      end(failure(String.valueOf(failed.getMessage())));
    }
  }

  private Tree talk(Session begun) throws InterruptedException {
    Thread writer = Thread.ofVirtual().name("talk-input").start(() -> passOn(begun));
    try (begun) {
      return status(begun.await());
    } finally {
      writer.interrupt();
    }
  }

  private void passOn(Session begun) {
    try {
      while (true) {
        Message message = waiting.take();
        pass(message, begun);
        taken(message.bytes.length);
      }
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Delivers a message, or drops it if it cannot be delivered, so that the messages behind it are
   * still read.
   */
  private static void pass(Message message, Session begun) {
    try {
      deliver(message, begun);
    } catch (IOException closed) {
      LOG.debug("a container accepts no more input", closed);
    } catch (MalformedText unreadable) {
      LOG.debug("a client sent no readable size of its terminal", unreadable);
    }
  }

  private static void deliver(Message message, Session begun) throws IOException {
    byte[] bytes = message.bytes;
    switch (message.channel) {
      case STDIN -> begun.write(bytes);
      case RESIZE -> {
        Tree size = Json.parse(new String(bytes, StandardCharsets.UTF_8)).asTree();
        begun.resize((int) size.whole("Width").orElse(0), (int) size.whole("Height").orElse(0));
      }
      case CLOSE -> {
        if (bytes.length > 0 && bytes[0] == STDIN) {
          begun.endInput();
        }
      }
      default -> LOG.debug("a message for the unknown channel {} is ignored", message.channel);
    }
  }

  @Override
  void take(boolean begins, byte[] bytes) {
    if (begins && bytes.length == 0) {
      return;
    }
    channel = begins ? bytes[0] & 0xff : channel;
    byte[] rest = begins ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
    waits(rest.length);
    waiting.add(new Message(channel, rest));
  }

  private void write(String stream, byte[] bytes) throws IOException {
    if (outputs.contains(stream)) {
      send(stream.equals("stderr") ? STDERR : STDOUT, bytes);
    }
  }

  private void send(int to, byte[] bytes) throws IOException {
    ByteBuffer message = ByteBuffer.allocate(bytes.length + 1);
    message.put((byte) to).put(bytes).flip();
    send(message);
  }

  private void end(Tree status) {
    try {
      send(STATUS, Json.bytes(status));
      close(CloseStatus.NORMAL, "");
    } catch (IOException gone) {
      LOG.debug("a client closed the connection before its session ended", gone);
    }
  }

  private static Tree status(End end) {
    if (!end.failure().isEmpty()) {
      return failure(end.failure());
    }
    Tree status = Tree.of("metadata", Tree.EMPTY, "status", "Success");
    if (end.exitCode() == 0) {
      return status;
    }
    Tree cause = Tree.of("reason", "ExitCode", "message", Integer.toString(end.exitCode()));
    return status
        .with("status", "Failure")
        .with("reason", "NonZeroExitCode")
        .with("message", "command terminated with exit code " + end.exitCode())
        .with("details", Tree.of("causes", List.of(cause)));
  }

  private static Tree failure(String message) {
    return Tree.of(
        "metadata",
        Tree.EMPTY,
        "status",
        "Failure",
        "reason",
        "InternalError",
        "message",
        message,
        "code",
        500);
  }

  @Override
  void left() {
    gone = true;
    session.ifPresent(Session::close);
  }
}
