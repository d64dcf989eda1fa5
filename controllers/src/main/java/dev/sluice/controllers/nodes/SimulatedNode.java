package dev.sluice.controllers.nodes;

import dev.sluice.model.ApiObject;

/** What makes a node a simulated one: KWOK's conventions, so its nodes work here too. */
public final class SimulatedNode {
  static final String ANNOTATION = "kwok.x-k8s.io/node";
  static final String FAKE = "fake";

  private SimulatedNode() {}

  public static boolean is(ApiObject node) {
    return node.annotation(ANNOTATION).equals(FAKE);
  }
}
