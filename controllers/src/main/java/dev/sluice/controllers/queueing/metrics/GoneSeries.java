package dev.sluice.controllers.queueing.metrics;

import dev.sluice.controllers.configuration.ManagerSettings;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.Cohort;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller.Trigger;
import dev.sluice.runtime.ObjectEvent;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Queues, cohorts and classes come and go; what was counted for them goes with them, so that
 * neither memory nor dashboards are filled by what once was.
 */
final class GoneSeries {
  private final Cluster cluster;
  private final ManagerSettings.Metrics settings;
  private final Meters meters;

  GoneSeries(Cluster cluster, ManagerSettings.Metrics settings, Meters meters) {
    this.cluster = cluster;
    this.settings = settings;
    this.meters = meters;
  }

  List<Trigger> triggers() {
    return List.of(
        new Trigger(Kinds.WORKLOAD_PRIORITY_CLASS, nothingAfter(this::priorityClass)),
        new Trigger(Kinds.PRIORITY_CLASS, nothingAfter(this::priorityClass)),
        new Trigger(Kinds.CLUSTER_QUEUE, nothingAfter(this::clusterQueue)),
        new Trigger(Kinds.COHORT, nothingAfter(this::cohort)),
        new Trigger(Kinds.LOCAL_QUEUE, nothingAfter(this::localQueue)));
  }

  /** Hears of events, of which none asks to reconcile anything. */
  private static Function<ObjectEvent, List<ObjectKey>> nothingAfter(Consumer<ObjectEvent> hears) {
    return event -> {
      hears.accept(event);
      return List.of();
    };
  }

  private void priorityClass(ObjectEvent event) {
    if (event.type() == ObjectEvent.Type.DELETED) {
      forget("priority_class", event.object().name());
    }
  }

  private void clusterQueue(ObjectEvent event) {
    if (event.type() == ObjectEvent.Type.DELETED) {
      forget("cluster_queue", event.object().name());
      forget("preempting_cluster_queue", event.object().name());
    }
    leave(event, queue -> new ClusterQueue(queue).cohort());
  }

  private void cohort(ObjectEvent event) {
    if (event.type() == ObjectEvent.Type.DELETED) {
      forget("cohort", event.object().name());
    }
    leave(event, cohort -> new Cohort(cohort).parent());
  }

  /** A cohort without an object of its own is there only as long as somebody names it. */
  private void leave(ObjectEvent event, Function<ApiObject, String> above) {
    String now = event.type() == ObjectEvent.Type.DELETED ? "" : above.apply(event.object());
    event
        .before()
        .map(above)
        .filter(left -> !left.isEmpty() && !left.equals(now) && !isThere(left))
        .ifPresent(left -> forget("cohort", left));
  }

  private boolean isThere(String cohort) {
    return cluster.get(Kinds.COHORT.key(cohort)).isPresent()
        || cluster.list(Kinds.CLUSTER_QUEUE).stream()
            .anyMatch(queue -> new ClusterQueue(queue).cohort().equals(cohort))
        || cluster.list(Kinds.COHORT).stream()
            .anyMatch(child -> new Cohort(child).parent().equals(cohort));
  }

  private void localQueue(ObjectEvent event) {
    ApiObject queue = event.object();
    boolean gone = event.type() == ObjectEvent.Type.DELETED || !isMeasured(queue);
    if (gone && event.before().filter(this::isMeasured).isPresent()) {
      var labels = new TreeMap<String, String>();
      labels.put("name", queue.name());
      labels.put("namespace", queue.namespace());
      meters.forget(labels);
    }
  }

  private boolean isMeasured(ApiObject localQueue) {
    return WorkloadEventCounter.measures(settings, localQueue);
  }

  private void forget(String label, String value) {
    var labels = new TreeMap<String, String>();
    labels.put(label, value);
    meters.forget(labels);
  }
}
