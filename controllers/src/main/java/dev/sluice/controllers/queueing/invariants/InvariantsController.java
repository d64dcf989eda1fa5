package dev.sluice.controllers.queueing.invariants;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.admission.QueueCache;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the promises of queueing while it runs, for those who look for defects. It changes
 * nothing; what is broken it logs as an error and tells the {@link DecisionLog}, once for as long
 * as it stays broken.
 *
 * <p>It looks after something happened, but not more often than every ten seconds, and goes on
 * looking while something seems broken. Live caches are read one after the other, so only what is
 * broken at several looks counts. What can be seen at its moment alone it has watched, and tells at
 * once.
 */
public final class InvariantsController implements Controller {
  private static final Logger LOG = LoggerFactory.getLogger(InvariantsController.class);
  private static final ObjectKey ALL = Kinds.CLUSTER_QUEUE.key("*");
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final int LOOKS = 3;
  private static final List<ResourceKind> WATCHED =
      List.of(
          Kinds.WORKLOAD,
          Kinds.JOB,
          Kinds.POD,
          Kinds.LOCAL_QUEUE,
          Kinds.CLUSTER_QUEUE,
          Kinds.COHORT);

  private final Cluster cluster;
  private final QueueCache book;
  private final DecisionLog log;
  private final QueueInvariants invariants;
  private final LimitWatch limits;
  private final PersistentBreaches lasting = new PersistentBreaches(LOOKS);
  private final BreachRecorder witness = new BreachRecorder();
  private Instant nextLook = Instant.MIN;

  /**
   * @param book the one that admission decides by
   */
  public InvariantsController(
      Cluster cluster, Configuration configuration, QueueCache book, DecisionLog log) {
    this.cluster = cluster;
    this.book = book;
    this.log = log;
    this.invariants = new QueueInvariants(cluster, configuration);
    this.limits = new LimitWatch(cluster, configuration);
    book.watch(witness);
  }

  @Override
  public String name() {
    return "invariants";
  }

  @Override
  public List<Trigger> triggers() {
    return WATCHED.stream().map(kind -> Trigger.onAny(kind, ALL)).toList();
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Instant now = cluster.time().now();
    if (now.isBefore(nextLook)) {
      return Outcome.again(Duration.between(now, nextLook));
    }
    nextLook = now.plus(INTERVAL);
    witness.take().forEach(broken -> report(now, broken));
    lasting.look(found()).forEach(broken -> report(now, broken));
    return lasting.isOpen() ? Outcome.again(INTERVAL) : Outcome.DONE;
  }

  private void report(Instant now, String broken) {
    LOG.error("an invariant is violated: {}", broken);
    log.broken(now, broken);
  }

  private List<String> found() {
    var found = new ArrayList<>(limits.look());
    found.addAll(invariants.atAnyInstant());
    found.addAll(invariants.atRest());
    found.addAll(invariants.inMemory(book));
    return found;
  }
}
