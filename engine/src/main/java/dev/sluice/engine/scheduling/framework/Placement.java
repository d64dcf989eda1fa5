package dev.sluice.engine.scheduling.framework;

import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.model.ObjectKey;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The outcome of one attempt to schedule a pod. */
public sealed interface Placement {

  /** The pod is assigned to this node. */
  record OnNode(String node) implements Placement {}

  /**
   * No node is feasible.
   *
   * @param message the message of the condition {@code PodScheduled}
   * @param plugins the filters that rejected nodes; none if there are no nodes at all
   * @param keepsNomination whether the pod stays nominated to its node
   */
  record Unschedulable(String message, SortedSet<Plugin> plugins, boolean keepsNomination)
      implements Placement {
    public Unschedulable {
      plugins = Collections.unmodifiableSortedSet(new TreeSet<>(plugins));
    }
  }

  /**
   * The pod fits once its victims are gone from the node.
   *
   * @param nowhere why it does not fit now
   * @param victims the pods to preempt, the most important first; never empty
   * @param displaced pods of lower priority that lose their nomination to the node
   */
  record AfterPreemption(
      Unschedulable nowhere, String node, List<PodFacts> victims, List<ObjectKey> displaced)
      implements Placement {
    public AfterPreemption {
      victims = List.copyOf(victims);
      displaced = List.copyOf(displaced);
      if (victims.isEmpty()) {
        throw new IllegalArgumentException("without victims the pod fits now");
      }
    }
  }
}
