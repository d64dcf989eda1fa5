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
 * The controller that checks the invariants of queueing while it runs, for tests and the search for
 * defects. It changes nothing. A violated invariant is logged as an error and reported to the
 * {@link DecisionLog}, once for as long as it stays violated.
 *
 * <p>A check follows every change, but at most every ten seconds, and is repeated while a violation
 * may be temporary. Live caches are read one after the other, so only a violation that several
 * checks in a row have found counts. Violations that can only be seen when they happen are recorded
 * then and reported at the next check.
 */
public final class InvariantsController implements Controller {
  private static final Logger LOG = LoggerFactory.getLogger(InvariantsController.class);
  private static final ObjectKey ALL = Kinds.CLUSTER_QUEUE.key("*");
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final int MIN_CHECKS = 3;
  private static final List<ResourceKind> WATCHED =
      List.of(
          Kinds.WORKLOAD,
          Kinds.JOB,
          Kinds.POD,
          Kinds.LOCAL_QUEUE,
          Kinds.CLUSTER_QUEUE,
          Kinds.COHORT);

  private final Cluster cluster;
  private final QueueCache cache;
  private final DecisionLog log;
  private final QueueInvariants invariants;
  private final LimitWatch limits;
  private final PersistentBreaches persistent = new PersistentBreaches(MIN_CHECKS);
  private final BreachRecorder recorder = new BreachRecorder();
  private Instant nextCheck = Instant.MIN;

  /**
   * @param cache the QueueCache of the admission controller
   */
  public InvariantsController(
      Cluster cluster, Configuration configuration, QueueCache cache, DecisionLog log) {
    this.cluster = cluster;
    this.cache = cache;
    this.log = log;
    this.invariants = new QueueInvariants(cluster, configuration);
    this.limits = new LimitWatch(cluster, configuration);
    cache.watch(recorder);
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
    if (now.isBefore(nextCheck)) {
      return Outcome.again(Duration.between(now, nextCheck));
    }
    nextCheck = now.plus(INTERVAL);
    recorder.take().forEach(breach -> report(now, breach));
    persistent.add(breaches()).forEach(breach -> report(now, breach));
    return persistent.isOpen() ? Outcome.again(INTERVAL) : Outcome.DONE;
  }

  private void report(Instant now, String broken) {
    LOG.error("an invariant is violated: {}", broken);
    log.broken(now, broken);
  }

  private List<String> breaches() {
    var breaches = new ArrayList<>(limits.look());
    breaches.addAll(invariants.atAnyInstant());
    breaches.addAll(invariants.atRest());
    breaches.addAll(invariants.inMemory(cache));
    return breaches;
  }
}
