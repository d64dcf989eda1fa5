package dev.sluice.machine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Where processes listen. All pods share the ports of the machine, so a client that may reach one
 * pod must see only ports on which that pod's own processes listen.
 */
final class Ports {
  private static final List<Path> TABLES =
      List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
  private static final String LISTENING = "0A";
  private static final int ADDRESS = 1;
  private static final int STATE = 3;
  private static final int SOCKET = 9;

  private Ports() {}

  /** An address of this machine at which one of these processes listens on a port. */
  static Optional<InetSocketAddress> find(Collection<Long> processes, int port) throws IOException {
    var sockets = new TreeSet<String>();
    for (long process : processes) {
      sockets.addAll(sockets(process));
    }
    for (Path table : TABLES) {
      for (String line : Files.exists(table) ? Files.readAllLines(table) : List.<String>of()) {
        Optional<InetSocketAddress> found = listener(line.strip().split(" +", -1), port, sockets);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  /** The numbers of the sockets that a process has open; none of one that has gone. */
  private static Set<String> sockets(long process) {
    var sockets = new TreeSet<String>();
    try (Stream<Path> all = Files.list(Path.of("/proc", Long.toString(process), "fd"))) {
      for (Path open : all.toList()) {
        String target = Files.readSymbolicLink(open).toString();
        if (target.startsWith("socket:[")) {
          sockets.add(target.substring("socket:[".length(), target.length() - 1));
        }
      }
    } catch (IOException gone) {
      return sockets;
    }
    return sockets;
  }

  private static Optional<InetSocketAddress> listener(String[] line, int port, Set<String> sockets)
      throws UnknownHostException {
    if (line.length <= SOCKET
        || !line[STATE].equals(LISTENING)
        || !sockets.contains(line[SOCKET])) {
      return Optional.empty();
    }
    String[] address = line[ADDRESS].split(":", -1);
    return Integer.parseInt(address[1], 16) == port
        ? Optional.of(new InetSocketAddress(reachable(address[0]), port))
        : Optional.empty();
  }

  /** The address that is written so; where any will do, that of the machine itself. */
  private static InetAddress reachable(String hex) throws UnknownHostException {
    ByteBuffer written = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    ByteBuffer bytes = ByteBuffer.allocate(written.capacity());
    // Each four bytes stand there as a number of this machine.
    while (written.hasRemaining()) {
      bytes.order(ByteOrder.nativeOrder()).putInt(written.getInt());
    }
    InetAddress address = InetAddress.getByAddress(bytes.array());
    boolean any = address.isAnyLocalAddress();
    return any ? InetAddress.getByName(bytes.capacity() > 4 ? "::1" : "127.0.0.1") : address;
  }
}
