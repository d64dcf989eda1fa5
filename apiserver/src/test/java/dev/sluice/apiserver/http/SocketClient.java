package dev.sluice.apiserver.http;

import java.io.ByteArrayOutputStream;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Keeps the messages that come over a WebSocket. */
public final class SocketClient implements WebSocket.Listener {
  private static final int PATIENCE_SECONDS = 20;

  private final LinkedBlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();
  private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

  @Override
  public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
    byte[] bytes = new byte[data.remaining()];
    data.get(bytes);
    begun.writeBytes(bytes);
    if (last) {
      messages.add(begun.toByteArray());
      begun.reset();
    }
    socket.request(1);
    return null;
  }

  /** The next message; nothing at all if none comes. */
  public byte[] next() throws InterruptedException {
    byte[] message = messages.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    return message == null ? new byte[0] : message;
  }
}
