package dev.sluice.model.core.pod;

import dev.sluice.model.tree.Tree;

/** A host port of a container. */
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

  /** Whether both cannot be used on one node: the wildcard address includes every address. */
  public boolean conflictsWith(HostPort other) {
    return port == other.port
        && protocol.equals(other.protocol)
        && (address.equals(other.address) || address.equals(ANY) || other.address.equals(ANY));
  }
}
