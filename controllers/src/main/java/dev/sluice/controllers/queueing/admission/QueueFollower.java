package dev.sluice.controllers.queueing.admission;

import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.runtime.Controller;
import java.util.List;

/**
 * Keeps a book of the queues up to date where somebody else decides, so that it can be read there
 * too. It writes nothing.
 */
public final class QueueFollower implements Controller {
  private static final ObjectKey ALL = Kinds.CLUSTER_QUEUE.key("*");

  private final QueueCache book;

  public QueueFollower(QueueCache book) {
    this.book = book;
  }

  @Override
  public String name() {
    return "queue-follower";
  }

  @Override
  public List<Trigger> triggers() {
    return book.triggers(ALL);
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    book.read(_ -> ALL); // catches up
    return Outcome.DONE;
  }
}
