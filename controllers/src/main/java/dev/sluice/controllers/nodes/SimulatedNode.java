package dev.sluice.controllers.nodes;

import dev.sluice.model.ApiObject;

/** KWOK's conventions for simulated nodes, so that KWOK's nodes work here too. */
public final class SimulatedNode {
  static final String ANNOTATION = "kwok.x-k8s.io/node";
  static final String FAKE = "fake";

  private SimulatedNode() {}

  public static boolean is(ApiObject node) {
    return node.annotation(ANNOTATION).equals(FAKE);
  }
}
