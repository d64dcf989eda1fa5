package dev.sluice.apiserver.http.session;

import dev.sluice.apiserver.http.limit.InFlight;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.websocket.core.CloseStatus;

/**
 * A port-forward session in the protocol {@code v4.channel.k8s.io}, as fabric8's and the Python
 * client speak it: the ports stand in the request, and each has one connection. The first byte of a
 * message names a channel: of port number {@code i} in the request, {@code 2i} has the data of both
 * sides and {@code 2i + 1} the errors of the server. Both begin with the port, in two bytes.
 *
 * <p>Threads: those of its {@link PortConnection}s; it ends when all of these have ended.
 */
public final class ChannelForwardSocket extends SessionSocket {
  /** The maximum number of ports, whose channels fit into a byte. */
  public static final int MAX_PORTS = 100;

  private final List<PortConnection> connections = new ArrayList<>();
  private final List<Integer> ports;
  private final CountDownLatch open;
  private boolean known;
  private int channel;

  public ChannelForwardSocket(
      PortForwardSocket.Dialing dialing, List<Integer> ports, InFlight.Place place) {
    super(place);
    this.ports = List.copyOf(ports);
    this.open = new CountDownLatch(ports.size());
    for (int i = 0; i < ports.size(); i++) {
      connections.add(new PortConnection(this, dialing::connect, new Channels(2 * i)));
    }
  }

  @Override
  void talk() throws InterruptedException {
    try {
      for (int i = 0; i < 2 * ports.size(); i++) {
        send(message(i, port(ports.get(i / 2))));
      }
      for (int i = 0; i < ports.size(); i++) {
        connections.get(i).start(Integer.toString(ports.get(i)));
      }
      open.await();
      close(CloseStatus.NORMAL, "");
    } catch (IOException gone) {
      left();
    }
  }

  private static byte[] port(int port) {
    return ByteBuffer.allocate(2).order(ByteOrder.LITTLE_ENDIAN).putShort((short) port).array();
  }

  private static ByteBuffer message(int channel, byte[] bytes) {
    return ByteBuffer.allocate(1 + bytes.length).put((byte) channel).put(bytes).flip();
  }

  @Override
  void left() {
    connections.forEach(PortConnection::close);
    while (open.getCount() > 0) {
      open.countDown();
    }
  }

  @Override
  void take(boolean begins, byte[] bytes) {
    int start = 0;
    if (begins) {
      known = bytes.length > 0 && bytes[0] >= 0 && bytes[0] % 2 == 0;
      known = known && bytes[0] / 2 < connections.size();
      channel = known ? bytes[0] / 2 : 0;
      start = 1;
    }
    if (known && bytes.length > start) {
      connections.get(channel).hear(Arrays.copyOfRange(bytes, start, bytes.length), false);
    }
  }

  /** The two channels of one connection. */
  private final class Channels implements PortConnection.Client {
    private final int data;

    Channels(int data) {
      this.data = data;
    }

    @Override
    public void receive(byte[] bytes) throws IOException {
      send(message(data, bytes));
    }

    @Override
    public void end(String failure) throws IOException {
      try {
        if (!failure.isEmpty()) {
          send(message(data + 1, failure.getBytes(StandardCharsets.UTF_8)));
        }
      } finally {
        open.countDown();
      }
    }
  }
}
