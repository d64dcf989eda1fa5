package dev.sluice.controllers.queueing.status;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.CohortsAbove;
import dev.sluice.controllers.queueing.admission.QueueCache;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.QueueStatus;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The controller of the status of Cohorts: the weighted share with fair sharing, nothing without. A
 * status is written at most once a second.
 */
public final class CohortStatusController implements Controller {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final Cluster cluster;
  private final QueueCache cache;
  private final boolean fairSharing;
  private final Map<ObjectKey, Instant> nextWrites = new LinkedHashMap<>();

  public CohortStatusController(Cluster cluster, QueueCache cache, Configuration configuration) {
    this.cluster = cluster;
    this.cache = cache;
    this.fairSharing = configuration.fairSharing().isPresent();
  }

  @Override
  public String name() {
    return "cohort-status";
  }

  @Override
  public List<Trigger> triggers() {
    return fairSharing
        ? List.of(
            new Trigger(Kinds.COHORT, this::ofRules),
            new Trigger(Kinds.CLUSTER_QUEUE, this::ofRules),
            new Trigger(Kinds.WORKLOAD, this::ofWorkload))
        : List.of(Trigger.on(Kinds.COHORT));
  }

  /** The quota that one queue or cohort can lend concerns the share of all cohorts. */
  private List<ObjectKey> ofRules(ObjectEvent event) {
    return event.keepsSpec()
        ? List.of()
        : cluster.list(Kinds.COHORT).stream().map(cohort -> cohort.key(Kinds.COHORT)).toList();
  }

  /** The ancestor cohorts of the queues in which a workload has or had quota. */
  private List<ObjectKey> ofWorkload(ObjectEvent event) {
    var keys = new ArrayList<ObjectKey>();
    for (ApiObject object : List.of(event.object(), event.before().orElse(event.object()))) {
      new Workload(object)
          .clusterQueue()
          .map(queue -> CohortsAbove.of(queue, cluster))
          .ifPresent(names -> names.forEach(name -> keys.add(Kinds.COHORT.key(name))));
    }
    return keys.stream().distinct().toList();
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Optional<ApiObject> cohort = cluster.get(key);
    if (cohort.isEmpty()) {
      nextWrites.remove(key);
      return Outcome.DONE;
    }
    Instant now = cluster.time().now();
    Instant next = nextWrites.getOrDefault(key, Instant.MIN);
    if (next.isAfter(now)) {
      return Outcome.again(Duration.between(now, next));
    }
    var before = new QueueStatus(cohort.get().status());
    QueueStatus status =
        share(key.name()).map(before::withWeightedShare).orElseGet(before::withoutFairSharing);
    if (!status.equals(before)) {
      cluster.patchStatus(Kinds.COHORT, cohort.get(), status.tree());
      nextWrites.put(key, now.plus(INTERVAL));
    }
    return Outcome.DONE;
  }

  private Optional<Long> share(String cohort) {
    return cache.read(queues ->
        queues.ledger().tree().cohorts().stream()
            .filter(node -> fairSharing && node.name().equals(cohort))
            .map(node -> node.share().rounded())
            .findFirst());
  }
}
