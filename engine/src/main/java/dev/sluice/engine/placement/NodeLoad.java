package dev.sluice.engine.placement;

import dev.sluice.model.Amounts;

/**
 * What the pods of a node took of it.
 *
 * @param requested what they asked for
 * @param assumed cpu and memory, where a pod that asked for none is assumed to take a little, so
 *     that such pods are spread too
 */
public record NodeLoad(long pods, Amounts requested, Amounts assumed) {
  public static final NodeLoad NONE = new NodeLoad(0, Amounts.NONE, Amounts.NONE);

  private static final Amounts LEAST =
      Amounts.of("cpu", 100).plus(Amounts.of("memory", 200L << 20));

  public NodeLoad plus(Amounts pod) {
    return new NodeLoad(pods + 1, requested.plus(pod), assumed.plus(assumed(pod)));
  }

  public NodeLoad minus(Amounts pod) {
    return new NodeLoad(pods - 1, requested.minus(pod), assumed.minus(assumed(pod)));
  }

  /** Whether a sum reached its limit, from which nothing can be taken back. */
  public boolean isSaturated() {
    return requested.byResource().containsValue(Amounts.UNLIMITED)
        || assumed.byResource().containsValue(Amounts.UNLIMITED);
  }

  public static Amounts assumed(Amounts pod) {
    Amounts assumed = Amounts.NONE;
    for (String resource : LEAST.byResource().keySet()) {
      long asked = pod.get(resource);
      assumed = assumed.plus(Amounts.of(resource, asked > 0 ? asked : LEAST.get(resource)));
    }
    return assumed;
  }
}
