package dev.sluice.engine.scheduling.framework;

import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.model.ObjectKey;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** What became of the attempt to find a node for a pod. */
public sealed interface Placement {

  /** It goes to this node. */
  record OnNode(String node) implements Placement {}

  /**
   * It fits nowhere.
   *
   * @param message why, for its user
   * @param plugins which filters objected; none if there are no nodes at all
   * @param keepsNomination whether room is still kept for it where it was
   */
  record Unschedulable(String message, SortedSet<Plugin> plugins, boolean keepsNomination)
      implements Placement {
    public Unschedulable {
      plugins = Collections.unmodifiableSortedSet(new TreeSet<>(plugins));
    }
  }

  /**
   * It fits once others have left the node.
   *
   * @param nowhere why it does not now
   * @param victims who leaves, the most important first; never empty
   * @param displaced pods of lower priority for which room is kept there no longer
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
