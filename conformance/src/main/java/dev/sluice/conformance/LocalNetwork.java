package dev.sluice.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.util.Optional;

/** The free ports and addresses of this machine, for servers under test. */
public final class LocalNetwork {
  private LocalNetwork() {}

  /** A port on which no server listens now. */
  public static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException failed) {
      throw new UncheckedIOException("no free port on loopback", failed);
    }
  }

  /** An address of this machine that other machines could use; empty if it has only loopback. */
  public static Optional<String> address() {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(one -> one instanceof Inet4Address)
          .filter(one -> !one.isLoopbackAddress() && !one.isLinkLocalAddress())
          .map(InetAddress::getHostAddress)
          .findFirst();
    } catch (IOException failed) {
      throw new UncheckedIOException("the network of this machine cannot be read", failed);
    }
  }
}
