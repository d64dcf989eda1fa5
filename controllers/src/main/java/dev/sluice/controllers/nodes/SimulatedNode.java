package dev.sluice.controllers.nodes;

import dev.sluice.model.ApiObject;
import java.nio.charset.StandardCharsets;

/** What makes a node a simulated one: KWOK's conventions, so its nodes work here too. */
final class SimulatedNode {
  static final String ANNOTATION = "kwok.x-k8s.io/node";
  static final String FAKE = "fake";

  private static final int FNV_OFFSET = 0x811c9dc5;
  private static final int FNV_PRIME = 0x01000193;

  private SimulatedNode() {}

  static boolean is(ApiObject node) {
    return node.annotation(ANNOTATION).equals(FAKE);
  }

  /**
   * An address in 10.0.0.0/8 that follows from a name or uid, so that nothing must be remembered.
   * Nobody listens there, and two may share one.
   */
  static String address(String seed) {
    int hash = FNV_OFFSET;
    for (byte letter : seed.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (letter & 0xff)) * FNV_PRIME;
    }
    int last = 1 + Integer.remainderUnsigned(hash >>> 16, 254);
    return "10.%d.%d.%d".formatted(hash & 0xff, (hash >>> 8) & 0xff, last);
  }
}
