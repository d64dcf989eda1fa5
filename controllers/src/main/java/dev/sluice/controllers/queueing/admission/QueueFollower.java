package dev.sluice.controllers.queueing.admission;

import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.runtime.Controller;
import java.util.List;

/**
 * The controller that keeps the QueueCache of a replica up to date that is not the leader, so that
 * it can be read there too. It writes nothing.
 */
public final class QueueFollower implements Controller {
  private static final ObjectKey ALL = Kinds.CLUSTER_QUEUE.key("*");

  private final QueueCache cache;

  public QueueFollower(QueueCache cache) {
    this.cache = cache;
  }

  @Override
  public String name() {
    return "queue-follower";
  }

  @Override
  public List<Trigger> triggers() {
    return cache.triggers(ALL);
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    cache.read(_ -> ALL); // applies the changes
    return Outcome.DONE;
  }
}
