package dev.sluice.conformance.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A line to a server on loopback that a test can cut and mend, as networks do. */
final class CuttableLine implements AutoCloseable {
  private final ServerSocket entrance;
  private final int serverPort;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile boolean cut;

  CuttableLine(int serverPort) {
    this.serverPort = serverPort;
    try {
      this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    Thread.ofVirtual().name("line").start(this::accept);
  }

  int port() {
    return entrance.getLocalPort();
  }

  /** Breaks every connection and refuses new ones. */
  void cut() {
    cut = true;
    sockets.forEach(CuttableLine::closeQuietly);
    sockets.clear();
  }

  void mend() {
    cut = false;
  }

  private void accept() {
    while (!entrance.isClosed()) {
      try {
        join(entrance.accept());
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void join(Socket client) {
    try {
      sockets.add(client);
      if (cut) {
        closeQuietly(client);
        return;
      }
      var server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
      sockets.add(server);
      Thread.ofVirtual().start(() -> copy(client, server));
      Thread.ofVirtual().start(() -> copy(server, client));
    } catch (IOException refused) {
      closeQuietly(client);
    }
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException broken) {
      // then both ends are closed, which is all that a line can do
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException broken) {
      // broken is what it should be
    }
  }

  @Override
  public void close() {
    cut();
    try {
      entrance.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
