package dev.sluice.model.core.pod;

import dev.sluice.model.tree.Tree;

/** A port of its node that a container takes. */
public record HostPort(String protocol, String address, long port) {
  private static final String ANY = "0.0.0.0";

  static HostPort of(Tree containerPort) {
    String protocol = containerPort.text("protocol");
    String address = containerPort.text("hostIP");
    return new HostPort(
        protocol.isEmpty() ? "TCP" : protocol,
        address.isEmpty() ? ANY : address,
        containerPort.whole("hostPort").orElse(0));
  }

  /** Whether both cannot be taken on one node: all addresses together include each one. */
  public boolean conflictsWith(HostPort other) {
    return port == other.port
        && protocol.equals(other.protocol)
        && (address.equals(other.address) || address.equals(ANY) || other.address.equals(ANY));
  }
}
